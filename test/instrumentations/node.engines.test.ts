import { conversationContract } from './expectations/conversation-contract.js';
import { lostValues } from './expectations/lost-values.js';
import { eventsOf, sentSpans, type SentSpan } from './expectations/sent-span.js';
import { clientProgram, nodeFolder } from './packages/client-packages.js';
import { playPrograms } from './scene/play.js';
import type { FoundEvent, SceneOutcome } from './scene/programs.js';

const program = async (file: string, ...args: string[]) => ({
  file: process.execPath,
  args: [clientProgram(`node/${file}`), ...args],
  environment: { NODE_PATH: `${await nodeFolder()}/node_modules` },
});

describe("OpenAI's Node client with OpenInference", () =>
  conversationContract({
    name: 'OpenInference',
    program: () => program('openinference.cjs'),
    model: 'gpt-4o-2026-08-06',
    finishOfToolCall: 'tool_calls',
    moreTokens: { cache_read_input_tokens: 1024, reasoning_tokens: 16 },
    countsStreams: false,
    tellsTools: true,
    embeddings: {
      inputs: { input: ['first text', 'second text'] },
      outputs: { embeddings: [[0.125, -0.25, 0.5], expect.anything()] },
    },
    tellsFailures: false,
  }));

describe.each(['5', '6'])('the Vercel AI SDK %s with its own telemetry', (version) => {
  let outcome: SceneOutcome;
  let sent: SentSpan[];
  const named = (name: string): FoundEvent[] =>
    outcome.events.filter((event) => event.event_name === name).sort((a, b) => a.start_time - b.start_time);
  const session = () => outcome.events.find(({ event_type }) => event_type === 'session');

  beforeAll(async () => {
    outcome = await playPrograms({
      programs: [await program('vercel-ai.cjs', version)],
      programWithinMs: 60_000,
    });
    sent = sentSpans(outcome.ends[0]!);
  }, 600_000);

  it('exits with 0 and stores every span as one event of the session tree', () => {
    expect(outcome.ends[0]).toMatchObject({ status: 0, stderr: '' });
    expect(sent.length).toBeGreaterThanOrEqual(11);
    expect(outcome.events).toHaveLength(sent.length + 1);
    for (const span of sent) {
      const parent = sent.find(({ spanId }) => spanId === span.parentSpanId);
      const [parentEvent] = parent ? eventsOf(parent, outcome.events) : [session()];
      expect(eventsOf(span, outcome.events)).toEqual([
        expect.objectContaining({ parent_id: parentEvent?.event_id, session_id: session()?.event_id }),
      ]);
    }
  });

  it('assigns event types to model calls, tool calls and agent steps', () => {
    const types = Object.fromEntries(
      outcome.events.map(({ event_name, event_type }) => [event_name, event_type]),
    );
    expect(types).toMatchObject({
      'ai.generateText': 'chain',
      'ai.generateText.doGenerate': 'model',
      'ai.streamText': 'chain',
      'ai.streamText.doStream': 'model',
      'ai.embedMany': 'chain',
      'ai.embedMany.doEmbed': 'model',
      get_weather: 'tool',
    });
  });

  it('stores the first model call with history, tools and tool call', () => {
    expect(named('ai.generateText.doGenerate')[0]).toMatchObject({
      inputs: {
        chat_history: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'What is the weather in Oslo?' },
        ],
      },
      outputs: {
        tool_calls: [{ id: 'call_weather_1', name: 'get_weather', arguments: { city: 'Oslo' } }],
        finish_reason: 'tool-calls',
      },
      config: {
        provider: 'openai',
        model: 'gpt-4o',
        temperature: 0.375,
        max_tokens: 256,
        tools: [{ name: 'get_weather' }],
      },
      metadata: {
        prompt_tokens: 1234,
        completion_tokens: 57,
        response_model: 'gpt-4o-2026-08-06',
        function_id: 'answer-question',
      },
    });
  });

  it('stores the tool with inputs and outputs, and the second call with its result', () => {
    expect(named('get_weather')[0]).toMatchObject({
      inputs: { city: 'Oslo' },
      outputs: { city: 'Oslo', degrees: 12 },
      metadata: { tool_name: 'get_weather', tool_call_id: 'call_weather_1' },
    });
    expect(named('ai.generateText.doGenerate')[1]).toMatchObject({
      inputs: {
        chat_history: [{}, {}, { role: 'assistant' }, { role: 'tool', tool_call_id: 'call_weather_1' }],
      },
      outputs: { role: 'assistant', content: 'It is 12 degrees in Oslo.', finish_reason: 'stop' },
    });
  });

  it('stores a stream with its time to the first token, and embeddings with their texts', () => {
    expect(named('ai.streamText.doStream')[0]).toMatchObject({
      inputs: { chat_history: [{ role: 'user', content: 'Grüße 🌍' }] },
      outputs: { content: 'Hello from the model.' },
      metadata: {
        time_to_first_token_ms: expect.any(Number) as number,
        cache_read_input_tokens: 1024,
        reasoning_tokens: 16,
      },
    });
    expect(named('ai.embedMany.doEmbed')[0]).toMatchObject({
      inputs: { input: ['first text', 'second text'] },
      outputs: { embeddings: [[0.125, -0.25, 0.5], expect.anything()] },
      metadata: { prompt_tokens: 8 },
    });
  });

  it("reads session and user from the telemetry's metadata and counts no token twice", () => {
    expect(named('ai.streamText')[0]).toMatchObject({
      inputs: { chat_history: [{ role: 'user', content: 'Grüße 🌍' }] },
      metadata: { session_key: 'conversation-7', plan: 'pro' },
      user_properties: { user_id: 'user-9' },
    });
    expect(session()?.metadata).toMatchObject({ prompt_tokens: 3 * 1234 + 8, completion_tokens: 3 * 57 });
  });

  it('stores a failed call with its error', () => {
    expect(named('ai.generateText.doGenerate')[2]).toMatchObject({
      error: 'the model is broken',
      config: { model: 'broken' },
    });
  });

  it('loses no value of a span', () => {
    expect(sent.flatMap((span) => lostValues(span, [...eventsOf(span, outcome.events), session()!]))).toEqual(
      [],
    );
  });
});
