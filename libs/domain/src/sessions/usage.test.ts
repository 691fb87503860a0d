import { dayOf, usageDays, usageOfSession, usageReport } from './usage.js';

const NOW = Date.parse('2026-11-22T13:00:00Z');
const DAY = 86_400_000;

describe('usage of a project', () => {
  it.each([
    ['the last 30 days', {}, '2026-10-24', '2026-11-22'],
    ['whole days', { from: NOW - DAY, to: NOW - DAY + 1 }, '2026-11-21', '2026-11-21'],
    ['30 days before an end', { to: NOW - DAY }, '2026-10-23', '2026-11-21'],
    ['until now', { from: NOW - 365 * DAY }, '2025-11-22', '2026-11-22'],
  ])('covers %s', (_, range, first, last) => {
    expect(usageDays(range, NOW)).toEqual({ first, last });
  });

  it('covers at most 366 days', () => {
    expect(() => usageDays({ from: NOW - 366 * DAY }, NOW)).toThrow('dateRange must span at most 366 days');
  });

  it('counts a session on the day of its start, and its events on theirs', () => {
    const days = [
      { day: '2026-11-22', num_events: 2, num_model_events: 1, cost: 0.5 },
      { day: '2026-11-21', num_events: 1, num_model_events: 0, num_errors: 1 },
    ];
    const [later, earlier, start] = usageOfSession({ days, start_time: NOW - 2 * DAY }, true);
    expect(start).toMatchObject({ day: '2026-11-20', num_sessions: 1, num_events: 0 });
    expect(later).toMatchObject({ num_sessions: 0, num_events: 2, cost: 0.5, prompt_tokens: 0 });
    expect(usageOfSession({ days, start_time: NOW - DAY }, true)[1]).toEqual({ ...earlier, num_sessions: 1 });
    expect(usageOfSession({ days, start_time: NOW }, false)).toEqual([later, earlier]);
    expect(usageReport([later!, earlier!, start!])).toMatchObject({
      days: [{ day: '2026-11-20' }, { day: '2026-11-21' }, { day: '2026-11-22' }],
      total: { num_events: 3, num_sessions: 1, num_errors: 1, cost: 0.5 },
    });
  });

  it('has an unknown cost when a session has, with the models of all', () => {
    const day = { day: '2026-11-22', num_events: 1, num_model_events: 1 };
    const sessions = [
      { ...day, cost: null, unpriced_models: ['b'] },
      { ...day, cost: 1 },
      { ...day, cost: null, unpriced_models: ['a', 'b'] },
    ].flatMap((one) => usageOfSession({ days: [one], start_time: NOW }, false));
    expect(usageReport(sessions).total).toMatchObject({
      num_events: 3,
      cost: null,
      unpriced_models: ['a', 'b'],
    });
  });

  it.each([
    [-1, '2000-01-01'],
    [NOW + 0.5, '2026-11-22'],
    [9e15, '2099-12-31'],
  ])('has the day of the start %d', (time, day) => {
    expect(dayOf(time)).toBe(day);
  });
});
