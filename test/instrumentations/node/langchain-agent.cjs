/** An agent of LangChain for Node, instrumented by OpenInference. */
const { LangChainInstrumentation } = require('@arizeai/openinference-instrumentation-langchain');
const CallbackManager = require('@langchain/core/callbacks/manager');
const { tool } = require('@langchain/core/tools');
const { ChatOpenAI } = require('@langchain/openai');
const { createAgent } = require('langchain');
const { z } = require('zod');
const { startTracing } = require('./export-spans.cjs');

const chat = (model) =>
  new ChatOpenAI({
    model,
    temperature: 0.375,
    maxRetries: 0,
    apiKey: 'unused',
    configuration: { baseURL: process.env.MODEL_URL },
  });
const getWeather = tool(() => '12 degrees', {
  name: 'get_weather',
  description: 'Tells the weather of a city',
  schema: z.object({ city: z.string() }),
});

async function main() {
  const { provider, finish } = startTracing();
  new LangChainInstrumentation({ tracerProvider: provider }).manuallyInstrument(CallbackManager);
  const config = { metadata: { session_id: process.env.SESSION } };
  const agent = createAgent({ model: chat('gpt-4o'), tools: [getWeather], systemPrompt: 'Be brief.' });
  await agent.invoke({ messages: [{ role: 'user', content: 'What is the weather in Oslo?' }] }, config);
  await chat('broken')
    .invoke('Are you there?', config)
    .catch(() => undefined);
  await finish();
}

void main();
