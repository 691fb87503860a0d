import { lostValues } from './expectations/lost-values.js';
import { eventsOf, sentSpans, type SentSpan } from './expectations/sent-span.js';
import { springProgram } from './packages/compiled-clients.js';
import { playPrograms } from './scene/play.js';
import type { FoundEvent, SceneOutcome } from './scene/programs.js';

/** A Boot application: advisors, calls and the tool are observations, which Micrometer exports as spans. Its spans have no messages. */
describe('a conversation of Spring AI', () => {
  let outcome: SceneOutcome;
  let sent: SentSpan[];
  const inOrder = (isWanted: (event: FoundEvent) => boolean): FoundEvent[] =>
    outcome.events.filter(isWanted).sort((a, b) => a.start_time - b.start_time);
  const ofType = (type: string) => inOrder(({ event_type }) => event_type === type);

  beforeAll(async () => {
    const program = { ...(await springProgram()), environment: { SESSION: 'spring-7' } };
    outcome = await playPrograms({ programs: [program], programWithinMs: 180_000 });
    sent = sentSpans(outcome.ends[0]!);
  }, 600_000);

  it('ends well, and is one event for each span, in the session of its conversation id', () => {
    expect(outcome.ends[0]).toMatchObject({ status: 0 });
    expect(sent.length).toBeGreaterThanOrEqual(8);
    expect(sent.map((span) => eventsOf(span, outcome.events).length)).toEqual(sent.map(() => 1));
    expect(ofType('session')).toEqual([
      expect.objectContaining({ metadata: expect.objectContaining({ session_key: 'spring-7' }) as object }),
    ]);
    expect(outcome.events).toHaveLength(sent.length + 1);
  });

  it('has client and advisors as chains, with the framework beside no provider', () => {
    // The session has the name of its root, and may begin in the same millisecond.
    const isClient = ({ event_name, event_type }: FoundEvent) =>
      event_name === 'spring_ai chat_client' && event_type !== 'session';
    const [client] = inOrder(isClient);
    expect(client).toMatchObject({ event_type: 'chain', config: { framework: 'spring_ai' } });
    expect(client?.config).not.toHaveProperty('provider');
    const advisors = inOrder(({ metadata }) => metadata.span_kind === 'advisor');
    expect(advisors.map(({ event_type }) => event_type)).toEqual(advisors.map(() => 'chain'));
    expect(advisors.length).toBeGreaterThanOrEqual(3);
  });

  it('has both calls with model, provider and counts, and counts them once', () => {
    const calls = ofType('model');
    expect(calls).toHaveLength(2);
    for (const call of calls)
      expect(call).toMatchObject({
        config: { provider: 'openai', model: 'gpt-4o' },
        metadata: {
          prompt_tokens: 1234,
          completion_tokens: 57,
          total_tokens: 1291,
          response_model: 'gpt-4o-2026-08-06',
          response_id: expect.any(String) as string,
        },
      });
    expect(calls.map(({ metadata }) => metadata.finish_reasons)).toEqual([['TOOL_CALLS'], ['STOP']]);
    const [session] = ofType('session');
    const cost = calls.reduce((sum, { metadata }) => sum + Number(metadata.cost), 0);
    expect(session?.metadata).toMatchObject({ prompt_tokens: 2 * 1234, completion_tokens: 2 * 57 });
    expect(session?.metadata.cost).toBeCloseTo(cost, 12);
    expect(cost).toBeGreaterThan(0);
  });

  it('has the call of the tool with arguments, result and id', () => {
    expect(inOrder(({ event_name }) => event_name === 'execute_tool get_weather')).toEqual([
      expect.objectContaining({
        event_type: 'tool',
        inputs: { city: 'Oslo' },
        outputs: { value: '12 degrees' },
        metadata: expect.objectContaining({
          tool_name: 'get_weather',
          tool_description: 'Tells the weather of a city',
          tool_call_id: expect.stringContaining('call_weather') as string,
          tool_type: 'function',
        }) as object,
        config: expect.objectContaining({
          tool_parameters: expect.objectContaining({ required: ['city'] }) as object,
        }) as object,
      }),
    ]);
  });

  it('loses no value of a span', () => {
    const kept = (span: SentSpan) => [...eventsOf(span, outcome.events), ...ofType('session')];
    expect(sent.flatMap((span) => lostValues(span, kept(span)))).toEqual([]);
  });
});
