import { forwardedSession } from '@assay/control-plane-client/test/control-plane-contract';
import type { SessionSummary } from '@assay/domain';
import { toStoredSummary, toSummary } from './stored-summary.js';

const DAY = { day: '2026-09-21', num_events: 1, num_model_events: 1 };
const AMOUNTS = { num_errors: 1, prompt_tokens: 7, completion_tokens: 1, total_tokens: 8, cost: 1e-7 };

describe('a stored summary', () => {
  it.each<Partial<SessionSummary>>([
    {},
    { days: [{ ...DAY, ...AMOUNTS }], num_errors: 1 },
    { days: [{ ...DAY, ...AMOUNTS }], num_errors: 2, num_events: 9, num_tool_events: 4, num_chain_events: 4 },
    { days: [DAY] },
    { days: [] },
    { days: [], num_events: 0, num_model_events: 0, event_names: [], source: '', session_name: '' },
    {
      days: [
        { ...DAY, ...AMOUNTS },
        { ...DAY, day: '2026-09-20' },
      ],
      num_events: 2,
    },
    { start_time: 0, days: [{ ...DAY, ...AMOUNTS }] },
    { end_time: 1_790_000_000_005, duration: 5 },
    { end_time: 1_790_000_000_005, duration: null },
    { source: 's'.repeat(250), run_ids: ['r1'] },
    { metrics: ['__proto__', 'a'].map((name) => ({ name, count: 2, sum: 3, min: 1, max: 2 })) },
  ])('is read unchanged: %j', (fields) => {
    const summary: SessionSummary = { ...forwardedSession('p1', 1, fields).summary };
    for (const isListed of [true, false]) {
      const stored = JSON.parse(JSON.stringify(toStoredSummary(summary, isListed))) as typeof fields;
      expect(toSummary(summary.session_id, stored as never)).toEqual(summary);
    }
  });

  it('is read from the document of an earlier release', () => {
    const summary: SessionSummary = {
      ...forwardedSession('p1', 1, {
        days: [DAY],
        run_ids: ['r1'],
        metrics: [{ name: 'a', count: 1, sum: 1, min: 1, max: 1 }],
      }).summary,
    };
    expect(toSummary(summary.session_id, { ...summary, source_key: summary.source })).toEqual(summary);
  });

  it('of a small session takes few bytes', () => {
    const { summary } = forwardedSession('p1', 1, {
      days: [{ ...DAY, ...AMOUNTS }],
      num_errors: 1,
      end_time: 1_790_000_001_000,
      duration: 1_000,
    });
    expect(JSON.stringify(toStoredSummary(summary, true)).length).toBeLessThan(250);
  });
});
