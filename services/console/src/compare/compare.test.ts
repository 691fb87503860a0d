import type { ComparedMetric } from '../api/run-results.js';
import { printCompareView, readCompareView, withMetric, type CompareView } from './compare-view.js';
import { changeTone, directionMark, intervalText, signed, verdictText } from './verdict-text.js';

const statistics = (change: Partial<ComparedMetric['statistics']>) =>
  verdictText({
    verdict: 'no_difference_shown',
    pairs: 40,
    direction: 'higher',
    ...change,
  } as ComparedMetric['statistics']);

describe('what a comparison says', () => {
  it('states the verdict of the API, in words and with a symbol', () => {
    expect(statistics({ verdict: 'better' })).toEqual({ symbol: '▲', text: 'better', tone: 'better' });
    expect(statistics({ verdict: 'worse' })).toEqual({ symbol: '▼', text: 'worse', tone: 'worse' });
    expect(statistics({ verdict: 'too_few', pairs: 7 }).text).toBe('too few to tell (n = 7)');
    expect(statistics({}).text).toBe('no difference shown');
    expect(statistics({ direction: 'none' })).toEqual({ symbol: '○', text: 'no direction', tone: 'neutral' });
  });

  it('has a sign on each difference, and tells 0 from missing', () => {
    expect([signed(0.034), signed(-0.5), signed(0), signed(null)]).toEqual(['+0.034', '−0.5', '0', '—']);
    expect(intervalText({ low: -0.028, high: 0.096 })).toBe('[−0.028, +0.096]');
    expect(intervalText(null)).toBe('—');
  });

  it('judges a change by the direction of the metric', () => {
    expect([changeTone(1, 'higher'), changeTone(1, 'lower'), changeTone(-1, 'lower')]).toEqual([
      'better',
      'worse',
      'better',
    ]);
    expect([changeTone(1, 'none'), changeTone(0, 'higher'), changeTone(null, 'higher')]).toEqual([
      'neutral',
      'neutral',
      'neutral',
    ]);
    expect([directionMark('higher'), directionMark('lower'), directionMark('none')]).toEqual(['↑', '↓', '']);
  });
});

describe('the address of a comparison', () => {
  it('has the whole view, without what is as by default', () => {
    const view: CompareView = {
      metric: 'a:b',
      event: 'answer',
      only: ['worse', 'error'],
      sort: 'gain',
      diff: 'json',
      aggregate: 'p95',
      datapoint: 'EXT-1',
    };
    expect(readCompareView(printCompareView(view))).toEqual(view);
    expect(Object.values(printCompareView(readCompareView({}))).every((value) => value === undefined)).toBe(
      true,
    );
  });

  it('ignores what is no view', () => {
    const search = { only: ['all', 'same'], sort: 'name', diff: 'html', agg: 'mode' };
    expect(readCompareView(search)).toEqual({ ...readCompareView({}), only: ['same'] });
  });
});

describe('the metric that orders the datapoints', () => {
  const compared = (metric_name: string, counts: readonly [number, number], mcnemar: object | null = null) =>
    ({
      ...{ metric_name, event_name: 'answer', statistics: { mcnemar } },
      ...{ improved_count: counts[0], degraded_count: counts[1] },
    }) as ComparedMetric;
  const chosenOf = (metrics: ComparedMetric[], search = {}) =>
    withMetric(readCompareView(search), { metrics }).metric;

  it('is the first one that differs, when no score has a condition to pass', () => {
    const metrics = [compared('same', [0, 0]), compared('worse', [0, 2]), compared('better', [3, 0])];
    expect(chosenOf(metrics)).toBe('worse');
    expect(chosenOf(metrics, { metric: 'better' })).toBe('better');
    expect(chosenOf(metrics.slice(0, 1))).toBeUndefined();
  });

  it('is none when scores have one: the datapoints are ordered by passing', () => {
    const passing = compared('passing', [0, 0], { gained: 0, lost: 0, p_value: 1 });
    expect(chosenOf([compared('worse', [0, 2]), passing])).toBeUndefined();
  });
});
