import { clientProgram, pythonWith } from './packages/client-packages.js';
import { playPrograms } from './scene/play.js';
import type { FoundEvent, SceneOutcome } from './scene/programs.js';

/** What python/public_client_0_2.py prints. */
interface Printed {
  readonly sessionId: string;
  readonly created: string;
  readonly sessions: readonly { readonly id: string; readonly type: string; readonly name: string }[];
  readonly metrics: readonly string[][];
  readonly configurations: readonly string[][];
}

describe('the 0.2 line of the public Python client, unmodified', () => {
  let outcome: SceneOutcome;
  let printed: Printed;
  const byId = (id: string): FoundEvent | undefined => outcome.events.find(({ event_id }) => event_id === id);
  const named = (name: string): FoundEvent | undefined =>
    outcome.events.find(({ event_name }) => event_name === name);

  beforeAll(async () => {
    const program = {
      file: await pythonWith('public-client-0-2'),
      args: [clientProgram('python/public_client_0_2.py')],
      environment: { TRACELOOP_TELEMETRY: 'false' },
    };
    outcome = await playPrograms({ programs: [program], programWithinMs: 120_000 });
    const lines = outcome.ends[0]!.stdout.split('\n').filter((line) => line.startsWith('{'));
    printed = JSON.parse(lines.at(-1) ?? '{}') as Printed;
  }, 600_000);

  it('ends without an error', () => {
    expect(outcome.ends[0]).toMatchObject({ status: 0, stderr: '' });
  });

  it('reads sessions directly after it has started them', () => {
    expect(printed.sessions).toHaveLength(6);
    expect(printed.sessions[0]).toEqual({ id: printed.sessionId, type: 'session', name: 'support chat' });
    for (const one of printed.sessions.slice(1))
      expect(one).toMatchObject({ type: 'session', name: 'started by hand' });
  });

  it('reads lists of metrics and of configurations', () => {
    expect(printed.metrics).toEqual([['has text', 'custom', 'def has_text(event):\n    return True']]);
    expect(printed.configurations).toEqual([['first', 'openai', 'gpt-4o']]);
  });

  it('stores decorated functions with what they were enriched with, below each other', () => {
    const root = named('answer');
    expect(root).toMatchObject({
      event_type: 'chain',
      session_id: printed.sessionId,
      inputs: { _params_: { question: 'How is the weather?' } },
      outputs: { result: { text: 'It is 12 degrees in Oslo. 🌍' } },
    });
    expect(named('complete')).toMatchObject({
      event_type: 'model',
      parent_id: root?.event_id,
      inputs: { _params_: { prompt: 'How is the weather?' } },
      outputs: { result: 'It is 12 degrees in Oslo. 🌍' },
      config: { model: 'gpt-4o' },
      metadata: { prompt_tokens: 1234, completion_tokens: 57 },
      metrics: { fluency: 0.875 },
    });
  });

  it('enriches its session, and creates and updates events', () => {
    expect(byId(printed.sessionId)).toMatchObject({
      ...{ event_type: 'session', event_name: 'support chat', source: 'production' },
      metadata: { ticket: 'T-1', prompt_tokens: 1234, completion_tokens: 57 },
      ...{ feedback: { thumbs: 'up' }, outputs: { resolved: true } },
    });
    expect(byId(printed.created)).toMatchObject({
      ...{ event_name: 'by hand', event_type: 'tool', session_id: printed.sessionId, duration: 12.5 },
      ...{ inputs: { n: 1 }, outputs: { ok: true }, feedback: { rating: 5 } },
    });
  });
});
