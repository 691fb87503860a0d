import { emptyEvent, type Event } from '../events/event.js';
import { newMetric, type MetricInput } from '../resources/metric.js';
import { UNLIMITED_WORK, type FilterWork } from '../events/filter/match/filter-work.js';
import { finishSync, runSteps } from '../steps.js';
import { appliesTo, readsScore, storedExclusion } from './applies-to.js';
import type { DeployedMetric } from './evaluation.js';
import { inputFingerprint } from './input-fingerprint.js';
import { isSampled } from './sampling.js';

const metricOf = (fields: Partial<MetricInput> = {}): DeployedMetric => ({
  ...newMetric({
    ...{ name: 'm', type: 'PYTHON', criteria: 'result = 1', enabled_in_prod: true, sampling_percentage: 100 },
    ...fields,
  }),
  id: 'metric',
  version: 'v1',
});
const eventOf = (fields: Partial<Event> = {}): Event => ({
  ...emptyEvent(),
  event_id: 'event',
  event_name: 'answer',
  source: 'app',
  ...fields,
});
const named = { filterArray: [{ field: 'event_name', operator: 'is', value: 'answer', type: 'string' }] };

type Case = readonly [string, Partial<MetricInput>, Partial<Event>, string | undefined];
const CASES: readonly Case[] = [
  ['an enabled metric without filters', {}, {}, undefined],
  ['a disabled metric', { enabled_in_prod: false }, {}, 'disabled'],
  ['a metric that people score', { type: 'HUMAN' }, {}, 'disabled'],
  ['a matching filter', { filters: named }, {}, undefined],
  ['a filter that does not match', { filters: named }, { event_name: 'other' }, 'not_matching'],
  ['a sample of 0 %', { sampling_percentage: 0 }, {}, 'sampled_out'],
  ['a run', { sampling_percentage: 0 }, { metadata: { run_id: 'r' } }, undefined],
  ['an evaluation', { sampling_percentage: 0 }, { source: 'evaluation' }, undefined],
  ['the playground', { sampling_percentage: 0 }, { source: 'playground' }, undefined],
  ['a missing ground truth', { needs_ground_truth: true }, {}, 'no_ground_truth'],
  [
    'a ground truth that is null',
    { needs_ground_truth: true },
    { feedback: { ground_truth: null } },
    'no_ground_truth',
  ],
  ['an empty list', { needs_ground_truth: true }, { feedback: { ground_truth: [] } }, undefined],
  ['an empty object', { needs_ground_truth: true }, { feedback: { ground_truth: {} } }, undefined],
  ['an empty text', { needs_ground_truth: true }, { feedback: { ground_truth: '' } }, undefined],
  ['a zero', { needs_ground_truth: true }, { feedback: { ground_truth: 0 } }, undefined],
  ['a false', { needs_ground_truth: true }, { feedback: { ground_truth: false } }, undefined],
  ['a ground truth', { needs_ground_truth: true }, { feedback: { ground_truth: { a: 1 } } }, undefined],
];

describe('which events a metric evaluates', () => {
  test.each(CASES)('is decided for %s', (_, metric, event, expected) => {
    expect(finishSync(appliesTo(metricOf(metric))(eventOf(event), UNLIMITED_WORK))).toBe(expected);
  });

  it('is not decided when the filters may not read what they name, unless another rule excludes the event', () => {
    const searched = { filterArray: [{ field: 'inputs.t', operator: 'contains', value: 'x' }] };
    const event = eventOf({ inputs: { t: 'y'.repeat(1_000) } });
    const none: FilterWork = { take: () => false };
    const decided = (fields: Partial<MetricInput>) =>
      finishSync(appliesTo(metricOf({ filters: searched, ...fields }))(event, none));
    expect(decided({})).toBe('not_decided');
    expect(decided({ sampling_percentage: 0 })).toBe('sampled_out');
    expect(decided({ needs_ground_truth: true })).toBe('no_ground_truth');
    expect(decided({ enabled_in_prod: false })).toBe('disabled');
  });

  it('follows from a sample of the given size, which a higher percentage only extends', () => {
    const ids = Array.from({ length: 4_000 }, (_, index) => `event-${index}`);
    const sampleOf = (percentage: number) => ids.filter((id) => isSampled('metric', id, percentage));
    const [tenth, third] = [sampleOf(10), sampleOf(33)];
    expect(tenth.length).toBeGreaterThan(320);
    expect(tenth.length).toBeLessThan(480);
    expect(third).toEqual(expect.arrayContaining(tenth));
    expect(sampleOf(0)).toEqual([]);
    expect(sampleOf(100)).toEqual(ids);
    expect(ids.filter((id) => isSampled('other', id, 10))).not.toEqual(tenth);
  });
});

describe('the fingerprint of what is evaluated', () => {
  const base = inputFingerprint(eventOf({ outputs: { a: 1, b: [1, { c: 2, d: 3 }] } }));

  it('does not depend on the order of keys or on scores', () => {
    const event = eventOf({
      outputs: { b: [1, { d: 3, c: 2 }], a: 1 },
      metrics: { score: 1 },
      metadata: { x: 1 },
    });
    expect(inputFingerprint(event)).toBe(base);
  });

  it('does not depend on what annotators say', () => {
    const outputs = { a: 1, b: [1, { c: 2, d: 3 }] };
    const annotated = { 'tone@anna': 4, 'tone_explanation@anna': null, 'q1@anna': { comment: 'x' } };
    expect(inputFingerprint(eventOf({ outputs, feedback: annotated }))).toBe(base);
    const feedback = { ground_truth: 1 };
    expect(inputFingerprint(eventOf({ outputs, feedback: { ...feedback, ...annotated } }))).toBe(
      inputFingerprint(eventOf({ outputs, feedback })),
    );
  });

  test.each<Partial<Event>>([
    { outputs: { a: 1, b: [1, { c: 2, d: 4 }] } },
    { outputs: { a: '1', b: [1, { c: 2, d: 3 }] } },
    { outputs: { a: 1, b: [1, { c: 2, d: 3 }] }, feedback: { ground_truth: 1 } },
    { outputs: { a: 1, b: [1, { c: 2, d: 3 }] }, feedback: { 'anna@example.com': 1 } },
  ])('changes with outputs and feedback: %j', (fields) => {
    expect(inputFingerprint(eventOf(fields))).not.toBe(base);
  });
});

describe('a metric with a filter on what sessions derive', () => {
  const filters = {
    filterArray: [
      { field: 'event_name', operator: 'is', value: 'answer', type: 'string' },
      { field: 'metadata.num_events', operator: 'greater than', value: 2, type: 'number' },
    ],
  };
  const decide = (event: Event, completed = event) =>
    runSteps(storedExclusion(metricOf({ filters }), { event, completed }, UNLIMITED_WORK));
  const session = eventOf({ event_type: 'session' });
  const withEvents = (num_events: number) => ({ ...session, metadata: { num_events } });

  it('decides about a session by its events, and about others by their own values', () => {
    expect(decide(session, withEvents(3))).toBeUndefined();
    expect(decide(session, withEvents(2))).toBe('not_matching');
    expect(decide({ ...session, event_name: 'other' }, withEvents(3))).toBe('not_matching');
    expect(decide(eventOf({ event_type: 'model', metadata: { num_events: 3 } }))).toBeUndefined();
  });
});

describe('the scores that the filters of a metric read', () => {
  test.each<[string, string, boolean]>([
    ['metrics.tone', 'tone', true],
    ['metrics["tone"]', 'tone', true],
    ["metrics['the tone'].value", 'the tone', true],
    ['metrics.tone.value', 'tone', true],
    ['metrics.tone[0]', 'tone', true],
    ['metrics.tone.value', 'tone.value', true],
    ['metrics.tone.value', 'value', false],
    ['metrics.', 'tone', false],
    ['metrics', 'tone', true],
    ['metrics.tone_of_voice', 'tone', false],
    ['metrics.tone', 'tone_explanation', false],
    ['metrics.voice.tone', 'tone', false],
    ['metadata.tone', 'tone', false],
    ['metrics_of.tone', 'tone', false],
    ['outputs', 'tone', false],
  ])('through %s contain %s: %s', (field, name, expected) => {
    const filterArray = [...named.filterArray, { field, operator: 'exists' }];
    expect(readsScore(metricOf({ filters: { filterArray } }))(new Set(['other', name]))).toBe(expected);
  });
});
