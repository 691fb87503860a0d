import { clientProgram, pythonWith } from './packages/client-packages.js';
import { playPrograms } from './scene/play.js';
import type { FoundEvent, SceneOutcome } from './scene/programs.js';

/** What python/public_client.py prints. */
interface Printed {
  readonly sessionId: string;
  readonly startedSession: string;
  readonly sent: { readonly created: string; readonly batch: readonly string[] };
  readonly read: { readonly names: readonly string[]; readonly total: number; readonly bySession: number };
}

describe.each(['http/json', 'http/protobuf'])(
  'the public Python client of the API, unmodified, over %s',
  (protocol) => {
    let outcome: SceneOutcome;
    let printed: Printed;
    const named = (name: string): FoundEvent | undefined =>
      outcome.events.find(({ event_name }) => event_name === name);
    const byId = (id: string): FoundEvent | undefined =>
      outcome.events.find(({ event_id }) => event_id === id);

    beforeAll(async () => {
      const program = {
        file: await pythonWith('public-client'),
        args: [clientProgram('python/public_client.py')],
        environment: { HH_OTLP_PROTOCOL: protocol },
      };
      outcome = await playPrograms({ programs: [program], programWithinMs: 60_000 });
      const lines = outcome.ends[0]!.stdout.split('\n').filter((line) => line.startsWith('{'));
      printed = JSON.parse(lines.at(-1) ?? '{}') as Printed;
    }, 600_000);

    it('ends without an error', () => {
      expect(outcome.ends[0]).toMatchObject({ status: 0, stderr: '' });
    });

    it('starts its session, and shows what it was enriched with and what happened in it', () => {
      expect(byId(printed.sessionId)).toMatchObject({
        event_type: 'session',
        event_name: 'support chat',
        source: 'production',
        metadata: { ticket: 'T-1', num_events: 9, num_model_events: 1, has_feedback: true },
        feedback: { thumbs: 'up' },
        metrics: { satisfaction: 0.75 },
        outputs: { resolved: true },
        user_properties: { user_id: 'user-9' },
      });
    });

    it('counts the tokens of the session', () => {
      expect(byId(printed.sessionId)?.metadata).toMatchObject({
        prompt_tokens: 1234,
        completion_tokens: 57,
        total_tokens: 1291,
      });
    });

    it('shows decorated functions with arguments and results, under each other in the session', () => {
      const root = named('answer question');
      expect(root).toMatchObject({
        event_type: 'chain',
        source: 'production',
        session_id: printed.sessionId,
        parent_id: printed.sessionId,
        inputs: { question: 'How is the weather?' },
        outputs: { result: { text: 'It is 12 degrees in Oslo. 🌍', sources: ['a', 'b'] } },
        metadata: { channel: 'mail' },
      });
      expect(named('__main__.look_up')).toMatchObject({
        event_type: 'tool',
        parent_id: root?.event_id,
        inputs: { city: 'Oslo', options: { units: ['C', 'F'] } },
        outputs: { result: { city: 'Oslo', degrees: 12 } },
      });
    });

    it('shows what a span was enriched with, by kind and with its types', () => {
      expect(named('complete')).toMatchObject({
        event_type: 'model',
        parent_id: named('answer question')?.event_id,
        inputs: { prompt: 'How is the weather?' },
        outputs: { result: 'It is 12 degrees in Oslo. 🌍' },
        config: { model: 'gpt-4o', temperature: 0.375 },
        metadata: { prompt_tokens: 1234, completion_tokens: 57, nested: { list: [1, 2] } },
        metrics: { fluency: 0.875, passed: true },
        feedback: { rating: 4 },
        user_properties: { plan: 'pro' },
      });
    });

    it('shows a function that failed, and the event that the client sends about the failure', () => {
      expect(named('__main__.break_down')).toMatchObject({
        inputs: { reason: 'the weather' },
        error: expect.stringContaining('it broke: the weather') as string,
        metadata: { error_type: 'RuntimeError' },
      });
      expect(named('break_down_error')).toMatchObject({
        error: 'it broke: the weather',
        metadata: { error_type: 'RuntimeError' },
      });
    });

    it('creates events one by one and in batches, updates them, and starts sessions', () => {
      expect(byId(printed.sent.created)).toMatchObject({
        event_name: 'by hand',
        inputs: { n: 1 },
        outputs: { ok: true },
        duration: 12.5,
        feedback: { rating: 5 },
        metrics: { score: 1 },
      });
      expect(printed.sent.batch.map((id) => byId(id)?.event_name)).toEqual(['step 0', 'step 1', 'step 2']);
      expect(byId(printed.startedSession)).toMatchObject({
        event_type: 'session',
        event_name: 'started by hand',
        inputs: { a: 1 },
      });
    });

    it('exports the events of its session', () => {
      const names = outcome.events
        .filter(({ session_id }) => session_id === printed.sessionId)
        .map(({ event_name }) => event_name);
      expect(names).toHaveLength(10);
      expect(printed.read).toEqual({ names: [...names].sort(), total: 10, bySession: 10 });
    });
  },
);

describe('the public Python client with a key that may only send', () => {
  it('sends its session and its spans, and cannot read', async () => {
    const program = {
      file: await pythonWith('public-client'),
      args: [clientProgram('python/public_client_ingestion_key.py')],
    };
    const { ends, events } = await playPrograms({ programs: [program], programWithinMs: 60_000 });
    expect(ends[0]).toEqual({ status: 0, stdout: '403\n', stderr: '' });
    const session = events.find(({ event_name }) => event_name === 'with a key that may only send');
    expect(session).toMatchObject({ event_type: 'session', metadata: { enriched: true, num_events: 1 } });
    expect(events.find(({ event_name }) => event_name === 'sent with the key')).toMatchObject({
      event_type: 'tool',
      session_id: session?.event_id,
      inputs: { n: 1 },
      outputs: { result: 2 },
    });
  }, 600_000);
});

describe('the functions that the public Python client generates from the API', () => {
  it('create, read, change and delete in every namespace, queues and the keys of projects included', async () => {
    const program = {
      file: await pythonWith('public-client'),
      args: [clientProgram('python/public_client_calls.py')],
    };
    const { ends } = await playPrograms({ programs: [program], programWithinMs: 120_000 });
    expect(ends[0]).toMatchObject({ status: 0, stderr: '' });
    const chart = { changed: 'p95', listed: 1, left: 0 };
    expect(JSON.parse(ends[0]!.stdout)).toMatchObject({
      events: { read: [{ score: 0.5 }, { rating: 4 }], found: 6, exported: 6, fields: true },
      queues: { changed: 'changed', listed: 1, left: 0 },
      metrics: { changed: ['changed', 'changed'], versions: 3, left: 0 },
      datasets: { changed: ['changed', 'changed too'], answer: { a: 4 }, listed: 2, copied: 1, left: 0 },
      runs: {
        changed: 'completed',
        scored: 1,
        compared: ['score', 'score'],
        paired: [true, true],
        sums: [0.5, 0.5],
        fields: [true, true],
        left: 1,
      },
      configurations: { changed: 'changed', left: 0 },
      charts: chart,
      projects: { keys: ['ingst', 'fgdp'], charts: chart },
      missing: [],
    });
  }, 600_000);
});
