import { lostValues } from './expectations/lost-values.js';
import { eventsOf, sentSpans, type SentSpan } from './expectations/sent-span.js';
import { goProgram, javaProgram } from './packages/compiled-clients.js';
import { playPrograms } from './scene/play.js';
import type { FoundEvent, Program, SceneOutcome } from './scene/programs.js';

const EXPORTERS: [name: string, program: () => Promise<Program>][] = [
  ['Go over HTTP', () => goProgram('http')],
  ['Go over gRPC', () => goProgram('grpc')],
  ['Java over HTTP', () => javaProgram('http')],
  ['Java over gRPC', () => javaProgram('grpc')],
];
const RUNS = EXPORTERS.flatMap(([name, program]) => [
  { name, program, isRefused: false },
  { name: `${name}, refused first`, program, isRefused: true },
]);
const sessionKeyOf = (name: string): string => `exported by ${name}`;

/** They compress with gzip. */
describe('the stock exporters of other languages', () => {
  let outcome: SceneOutcome;

  beforeAll(async () => {
    const programs: Program[] = [];
    for (const { name, program, isRefused } of RUNS)
      programs.push({ ...(await program()), environment: { SESSION: sessionKeyOf(name) }, isRefused });
    outcome = await playPrograms({ programs, programWithinMs: 60_000 });
  }, 600_000);

  it('send again what was refused with 503 and 429, or whose response was lost', () => {
    const attempts = ['unavailable', 'throttled', 'stored, then unavailable', 'stored'];
    for (const [index, { isRefused }] of RUNS.entries())
      expect(Object.values(outcome.ends[index]?.outcomes ?? {})).toEqual(
        isRefused ? [attempts, attempts] : [],
      );
  });

  describe.each(RUNS.map(({ name }, index) => ({ name, index })))('$name', ({ name, index }) => {
    let sent: SentSpan[];
    let session: FoundEvent | undefined;
    const eventOf = (spanName: string): FoundEvent | undefined => {
      const span = sent.find((candidate) => candidate.name === spanName);
      return span && eventsOf(span, outcome.events)[0];
    };

    beforeAll(() => {
      sent = sentSpans(outcome.ends[index]!);
      session = outcome.events.find(
        ({ event_type, metadata }) => event_type === 'session' && metadata.session_key === sessionKeyOf(name),
      );
    });

    it('ends well, and is one event for each span', () => {
      expect(outcome.ends[index]).toMatchObject({ status: 0, stderr: '' });
      expect(sent).toHaveLength(4);
      expect(sent.map((span) => eventsOf(span, outcome.events).length)).toEqual([1, 1, 1, 1]);
      expect(outcome.events.filter(({ session_id }) => session_id === session?.session_id)).toHaveLength(5);
    });

    it('has the tree below its session', () => {
      const root = eventOf('answer question');
      expect(root).toMatchObject({
        event_type: 'chain',
        parent_id: session?.event_id,
        metadata: { team: 'support', otel: { resource: { 'service.name': 'shop' } } },
      });
      for (const below of ['chat gpt-4o', 'chat gpt-4o-mini', 'execute_tool get_weather'])
        expect(eventOf(below)).toMatchObject({
          parent_id: root?.event_id,
          session_id: session?.event_id,
        });
    });

    it('has the call with messages, counts and cost', () => {
      expect(eventOf('chat gpt-4o')).toMatchObject({
        event_type: 'model',
        inputs: { chat_history: [{ role: 'user', content: 'Grüße 🌍' }] },
        outputs: { role: 'assistant', content: 'Hello from the model.', finish_reason: 'stop' },
        config: { provider: 'openai', model: 'gpt-4o', temperature: 0.375 },
        metadata: { prompt_tokens: 1234, completion_tokens: 57, total_tokens: 1291 },
      });
      expect(session?.metadata).toMatchObject({ prompt_tokens: 1234, completion_tokens: 57, num_errors: 2 });
      expect(session?.metadata.cost).toBe(eventOf('chat gpt-4o')?.metadata.cost);
    });

    it('has the error of the tool', () => {
      expect(eventOf('execute_tool get_weather')).toMatchObject({
        event_type: 'tool',
        error: 'the tool is broken',
        inputs: { city: 'Oslo' },
        metadata: { error_type: expect.any(String) as string },
      });
    });

    it('has the messages and the error that came as log records', () => {
      expect(eventOf('chat gpt-4o-mini')).toMatchObject({
        event_type: 'model',
        inputs: { chat_history: [{ role: 'user', content: 'Sent in a log' }] },
        outputs: { role: 'assistant', content: 'Half an' },
        error: 'the stream was cut',
        metadata: { error_type: 'ConnectionReset', error_stack: 'at the client' },
      });
    });

    it('loses no value of a span', () => {
      expect(sent.flatMap((span) => lostValues(span, [...eventsOf(span, outcome.events), session!]))).toEqual(
        [],
      );
    });
  });
});
