import { runOverview, type SessionMeasures } from './run-overview.js';
import type { RunEvent, RunSession } from './run-events.js';

const event = (fields: Partial<RunEvent>): RunEvent => ({
  eventId: 'e',
  sessionId: 's',
  eventName: 'answer',
  eventType: 'chain',
  startTime: 1,
  runId: 'r',
  datapointId: '',
  metrics: {},
  isSelected: true,
  composites: [],
  ...fields,
});
const session = (
  sessionId: string,
  datapointId: string | undefined,
  ...events: Partial<RunEvent>[]
): RunSession => ({
  sessionId,
  ...(datapointId !== undefined && { datapointId }),
  events: events.map((one) => event({ sessionId, ...one })),
});
const RULES = { metrics: new Map(), passingRanges: new Map([['score', { min: 0.5 }]]) };

describe('the overview of a run', () => {
  const sessions = [
    session('1', 'd1', { metrics: { score: 1, ok: true } }, { eventName: 'other', metrics: { score: 0.5 } }),
    session('2', 'd1', { metrics: { score: 0 } }),
    session('3', undefined, { metrics: { score_explanation: 'x' } }),
  ];

  it('counts datapoints and averages the scores of all events of a metric', () => {
    expect(runOverview({ sessions, rules: RULES })).toEqual({
      sessions: 3,
      datapoints: 2,
      passed: 1,
      failed: 1,
      metrics: { score: 0.5, ok: 1 },
    });
  });

  // Copying the scores for each name of events would move five billion numbers.
  it('averages a metric of 100,000 names of events', () => {
    const many = Array.from({ length: 100_000 }, (_, index) =>
      session(`s${index}`, 'd', { eventName: `name ${index}`, metrics: { score: index % 2 } }),
    );
    expect(runOverview({ sessions: many, rules: RULES }).metrics).toEqual({ score: 0.5 });
  });

  it('has finite sums', () => {
    const measures = { tokens: 1e308, cost: 1e308, unpricedModels: [], hasErrors: false };
    const taken = new Map(['1', '2'].map((id) => [id, measures] as const));
    expect(runOverview({ sessions, rules: RULES }, taken).measures).toMatchObject({
      tokens: Number.MAX_VALUE,
      cost: Number.MAX_VALUE,
    });
  });

  it('adds up what its sessions took', () => {
    const measures = new Map<string, SessionMeasures>([
      ['1', { duration: 100, tokens: 5, cost: 0.1, unpricedModels: [], hasErrors: true }],
      ['2', { duration: 300, tokens: 7, cost: 0.2, unpricedModels: [], hasErrors: false }],
      ['3', { tokens: 0, cost: 0, unpricedModels: [], hasErrors: true }],
      ['of another run', { duration: 9, tokens: 9, cost: null, unpricedModels: ['z'], hasErrors: true }],
    ]);
    expect(runOverview({ sessions, rules: RULES }, measures).measures).toEqual({
      errors: 2,
      duration_p50: 200,
      duration_p95: 290,
      tokens: 12,
      cost: expect.closeTo(0.3, 12) as number,
      unpriced_models: [],
    });
    expect(runOverview({ sessions: [], rules: RULES }, new Map())).toEqual({
      sessions: 0,
      datapoints: 0,
      passed: 0,
      failed: 0,
      metrics: {},
      measures: {
        errors: 0,
        duration_p50: null,
        duration_p95: null,
        tokens: 0,
        cost: 0,
        unpriced_models: [],
      },
    });
  });

  it('has an unknown cost when that of one session is, and names the models', () => {
    const known = { tokens: 1, cost: 1, unpricedModels: [], hasErrors: false };
    const unknown = { tokens: 1, cost: null, unpricedModels: ['b', 'a'], hasErrors: false };
    const measures = new Map<string, SessionMeasures>([
      ['1', known],
      ['2', unknown],
      ['3', { ...unknown, unpricedModels: ['a'] }],
    ]);
    expect(runOverview({ sessions, rules: RULES }, measures).measures).toMatchObject({
      tokens: 3,
      cost: null,
      unpriced_models: ['a', 'b'],
    });
  });

  it('has a bounded number of metrics', () => {
    const metrics = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`m${index}`, index]));
    const overview = runOverview({ sessions: [session('1', 'd', { metrics })], rules: RULES });
    expect(Object.keys(overview.metrics)).toHaveLength(100);
  });
});
