/** A conversation with the model server through the Vercel AI SDK of the major version in the first argument; its own telemetry makes the spans. */
const [, , version] = process.argv;
const PACKAGES = {
  5: ['ai', '@ai-sdk/openai'],
  6: ['ai-6', '@ai-sdk/openai-3'],
  7: ['ai-7', '@ai-sdk/openai-4'],
};
const [sdk, provider] = PACKAGES[version];
const { createOpenAI } = require(provider);
const { trace } = require('@opentelemetry/api');
const { embedMany, generateText, stepCountIs, streamText, tool } = require(sdk);
const { z } = require('zod');
const { startTracing } = require('./export-spans.cjs');

const openai = createOpenAI({ baseURL: process.env.MODEL_URL, apiKey: 'unused' });
const CALLER = { sessionId: 'conversation-7', userId: 'user-9', plan: 'pro' };
/** Options of a call that tell of the caller: from version 7 on those of its context that are named. */
const telemetry = (functionId) =>
  version === '7'
    ? {
        telemetry: { functionId, includeRuntimeContext: { sessionId: true, userId: true, plan: true } },
        runtimeContext: CALLER,
      }
    : { experimental_telemetry: { isEnabled: true, functionId, metadata: CALLER } };
const getWeather = tool({
  description: 'Tells the weather of a city',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => ({ city, degrees: 12 }),
});

async function converse() {
  await generateText({
    model: openai.chat('gpt-4o'),
    system: 'Be brief.',
    prompt: 'What is the weather in Oslo?',
    temperature: 0.375,
    maxOutputTokens: 256,
    tools: { get_weather: getWeather },
    stopWhen: stepCountIs(3),
    ...telemetry('answer-question'),
  });
  const { textStream } = streamText({
    model: openai.chat('gpt-4o'),
    messages: [{ role: 'user', content: 'Grüße 🌍' }],
    ...telemetry('greet'),
  });
  for await (const _ of textStream);
  await embedMany({
    model: openai.embedding('text-embedding-3-small'),
    values: ['first text', 'second text'],
    ...telemetry('embed'),
  });
  const broken = {
    model: openai.chat('broken'),
    prompt: 'Are you there?',
    maxRetries: 0,
    ...telemetry('fail'),
  };
  await generateText(broken).catch(() => undefined);
}

async function main() {
  const { finish } = startTracing();
  if (version === '7') {
    const { registerTelemetry } = require(sdk);
    const { OpenTelemetry } = require('@ai-sdk/otel');
    registerTelemetry(
      new OpenTelemetry({ usage: true, embedding: true, runtimeContext: true, providerMetadata: true }),
    );
  }
  await trace.getTracer('shop').startActiveSpan('answer question', async (span) => {
    await converse();
    span.end();
  });
  await finish();
}

void main();
