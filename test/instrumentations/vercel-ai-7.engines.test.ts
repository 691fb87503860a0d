import { lostValues } from './expectations/lost-values.js';
import { eventsOf, sentSpans, type SentSpan } from './expectations/sent-span.js';
import { clientProgram, nodeFolder } from './packages/client-packages.js';
import { playPrograms } from './scene/play.js';
import type { FoundEvent, SceneOutcome } from './scene/programs.js';

/** From version 7 on its telemetry is a package of its own, which follows the GenAI conventions. */
describe('the Vercel AI SDK 7 with its own telemetry', () => {
  let outcome: SceneOutcome;
  let sent: SentSpan[];
  const named = (name: string): FoundEvent[] =>
    outcome.events.filter((event) => event.event_name === name).sort((a, b) => a.start_time - b.start_time);
  const session = () => outcome.events.find(({ event_type }) => event_type === 'session');

  beforeAll(async () => {
    const program = {
      file: process.execPath,
      args: [clientProgram('node/vercel-ai.cjs'), '7'],
      environment: { NODE_PATH: `${await nodeFolder()}/node_modules` },
    };
    outcome = await playPrograms({ programs: [program], programWithinMs: 60_000 });
    sent = sentSpans(outcome.ends[0]!);
  }, 600_000);

  it('exits with 0 and stores every span as one event of one session', () => {
    expect(outcome.ends[0]).toMatchObject({ status: 0, stderr: '' });
    expect(sent.length).toBeGreaterThanOrEqual(15);
    expect(outcome.events).toHaveLength(sent.length + 1);
    for (const span of sent)
      expect(eventsOf(span, outcome.events)).toEqual([
        expect.objectContaining({ session_id: session()?.event_id }),
      ]);
  });

  it('assigns event types to model calls, tool calls, agents and their steps', () => {
    const types = Object.fromEntries(
      outcome.events.map(({ event_name, event_type }) => [event_name, event_type]),
    );
    expect(types).toMatchObject({
      ...{
        'chat gpt-4o': 'model',
        'embeddings text-embedding-3-small': 'model',
        'invoke_agent gpt-4o': 'chain',
      },
      ...{ 'step 1': 'chain', 'execute_tool get_weather': 'tool' },
    });
  });

  it('stores the calls with history, tools and tool call, and the tool with its result', () => {
    const [first, second] = named('chat gpt-4o');
    expect(first).toMatchObject({
      inputs: {
        chat_history: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'What is the weather in Oslo?' },
        ],
      },
      outputs: { tool_calls: [{ id: 'call_weather_1', name: 'get_weather', arguments: { city: 'Oslo' } }] },
      config: {
        ...{ provider: 'openai', model: 'gpt-4o', temperature: 0.375, max_tokens: 256 },
        tools: [{ name: 'get_weather' }],
      },
      metadata: {
        ...{ prompt_tokens: 1234, completion_tokens: 57, total_tokens: 1291 },
        ...{ cache_read_input_tokens: 1024, reasoning_tokens: 16, response_model: 'gpt-4o-2026-08-06' },
      },
    });
    expect(second).toMatchObject({
      inputs: {
        chat_history: [{}, {}, { role: 'assistant' }, { role: 'tool', tool_call_id: 'call_weather_1' }],
      },
      outputs: { role: 'assistant', content: 'It is 12 degrees in Oslo.', finish_reason: 'stop' },
    });
    expect(named('execute_tool get_weather')[0]).toMatchObject({
      ...{ inputs: { city: 'Oslo' }, outputs: { city: 'Oslo', degrees: 12 } },
      metadata: { tool_name: 'get_weather', tool_call_id: 'call_weather_1' },
    });
  });

  it('stores a stream with its time to the first token, and embeddings with their texts', () => {
    expect(named('chat gpt-4o')[2]).toMatchObject({
      inputs: { chat_history: [{ role: 'user', content: 'Grüße 🌍' }] },
      outputs: { content: 'Hello from the model.' },
      metadata: { time_to_first_token_ms: expect.any(Number) as number },
    });
    const embeddings = named('embeddings text-embedding-3-small');
    for (const one of embeddings)
      expect(one).toMatchObject({
        inputs: { input: ['first text', 'second text'] },
        outputs: { embeddings: [[0.125, -0.25, 0.5], expect.anything()] },
      });
    expect(embeddings).toHaveLength(2);
  });

  it('reads session and user from the context of a call, and counts no token twice', () => {
    expect(named('invoke_agent gpt-4o')[0]).toMatchObject({
      metadata: { session_key: 'conversation-7', plan: 'pro', agent_name: 'answer-question' },
      user_properties: { user_id: 'user-9' },
    });
    expect(session()?.metadata).toMatchObject({ prompt_tokens: 3 * 1234 + 8, completion_tokens: 3 * 57 });
  });

  it('stores a failed call with its error', () => {
    expect(named('chat broken')[0]).toMatchObject({
      ...{ event_type: 'model', error: 'the model is broken', config: { model: 'broken' } },
    });
  });

  it('loses no value of a span', () => {
    expect(sent.flatMap((span) => lostValues(span, [...eventsOf(span, outcome.events), session()!]))).toEqual(
      [],
    );
  });
});
