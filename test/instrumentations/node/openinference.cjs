/** A conversation with the model server through OpenAI's client, instrumented by OpenInference. */
const { OpenAIInstrumentation } = require('@arizeai/openinference-instrumentation-openai');
const { trace } = require('@opentelemetry/api');
const { startTracing } = require('./export-spans.cjs');

const WEATHER = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Tells the weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
};

async function converse(OpenAI) {
  const client = new OpenAI({ baseURL: process.env.MODEL_URL, apiKey: 'unused', maxRetries: 0 });
  await client.chat.completions.create({
    model: 'gpt-4o',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Grüße 🌍' },
    ],
    temperature: 0.375,
    max_tokens: 256,
  });
  const messages = [{ role: 'user', content: 'What is the weather in Oslo?' }];
  const { choices } = await client.chat.completions.create({ model: 'gpt-4o', messages, tools: [WEATHER] });
  const [call] = choices[0].message.tool_calls;
  messages.push(choices[0].message, { role: 'tool', tool_call_id: call.id, content: '12 degrees' });
  const streaming = {
    model: 'gpt-4o',
    messages,
    tools: [WEATHER],
    stream: true,
    stream_options: { include_usage: true },
  };
  for await (const _ of await client.chat.completions.create(streaming));
  await client.embeddings.create({ model: 'text-embedding-3-small', input: ['first text', 'second text'] });
}

async function main() {
  const { provider, finish } = startTracing();
  const instrumentation = new OpenAIInstrumentation({ tracerProvider: provider });
  const OpenAI = require('openai');
  instrumentation.manuallyInstrument(OpenAI);
  const attributes = { 'session.id': 'conversation-7', team: 'support' };
  await trace.getTracer('shop').startActiveSpan('answer question', { attributes }, async (span) => {
    await converse(OpenAI);
    span.end();
  });
  await finish();
}

void main();
