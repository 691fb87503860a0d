import { lostValues } from './expectations/lost-values.js';
import { eventsOf, sentSpans, type SentSpan } from './expectations/sent-span.js';
import { clientProgram, pythonWith } from './packages/client-packages.js';
import { playPrograms } from './scene/play.js';
import type { FoundEvent, SceneOutcome } from './scene/programs.js';

const TOKENS = {
  prompt_tokens: 1234,
  completion_tokens: 57,
  total_tokens: 1291,
  cache_read_input_tokens: 1024,
  reasoning_tokens: 16,
};

/** Pipecat tells of the conversation, its turns and its calls; not of tools, nor of the calls of tools in a response. */
describe('a pipeline of Pipecat', () => {
  let outcome: SceneOutcome;
  let sent: SentSpan[];
  const ofType = (type: string): FoundEvent[] =>
    outcome.events
      .filter(({ event_type }) => event_type === type)
      .sort((a, b) => a.start_time - b.start_time);

  beforeAll(async () => {
    const program = {
      file: await pythonWith('voice'),
      args: [clientProgram('python/libraries/pipecat_pipeline.py')],
      environment: { PYTHONPATH: clientProgram('python'), SESSION: 'voice-7' },
    };
    outcome = await playPrograms({ programs: [program], programWithinMs: 180_000 });
    sent = sentSpans(outcome.ends[0]!);
  }, 600_000);

  it('ends well, and is one event for each span, of one session', () => {
    expect(outcome.ends[0]).toMatchObject({ status: 0 });
    expect(sent.map(({ name }) => name).sort()).toEqual(['conversation', 'llm', 'llm', 'turn']);
    expect(sent.map((span) => eventsOf(span, outcome.events).length)).toEqual([1, 1, 1, 1]);
    expect(ofType('session')).toEqual([
      expect.objectContaining({ metadata: expect.objectContaining({ session_key: 'voice-7' }) as object }),
    ]);
    expect(outcome.events).toHaveLength(5);
  });

  it('has conversation and turn as chains above the calls', () => {
    const [conversation, turn] = ofType('chain');
    expect(conversation).toMatchObject({ event_name: 'conversation' });
    expect(turn).toMatchObject({ event_name: 'turn', parent_id: conversation?.event_id });
    expect(ofType('model').map(({ parent_id }) => parent_id)).toEqual([turn?.event_id, turn?.event_id]);
  });

  it('has messages, tools, counts and the time to the first token of the calls', () => {
    const [first, second] = ofType('model');
    expect(first).toMatchObject({
      inputs: {
        chat_history: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'What is the weather in Oslo?' },
        ],
      },
      config: { provider: 'openai', model: 'gpt-4o', temperature: 0.375, tools: [expect.anything()] },
      metadata: { ...TOKENS, time_to_first_token_ms: expect.any(Number) as number },
    });
    expect(second).toMatchObject({
      inputs: {
        chat_history: [{}, {}, { role: 'assistant' }, { role: 'tool', tool_call_id: 'call_weather_1' }],
      },
      outputs: { role: 'assistant', content: 'It is 12 degrees in Oslo.' },
    });
  });

  it('counts tokens and cost of both calls once', () => {
    const [session] = ofType('session');
    const [first, second] = ofType('model').map(({ metadata }) => Number(metadata.cost));
    expect(session?.metadata).toMatchObject({ prompt_tokens: 2 * 1234, completion_tokens: 2 * 57 });
    expect(session?.metadata.cost).toBeCloseTo(first! + second!, 12);
    expect(first).toBeGreaterThan(0);
  });

  it('loses no value of a span', () => {
    const kept = (span: SentSpan) => [...eventsOf(span, outcome.events), ...ofType('session')];
    expect(sent.flatMap((span) => lostValues(span, kept(span)))).toEqual([]);
  });
});
