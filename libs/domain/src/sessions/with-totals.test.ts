import { emptyEvent, type Event } from '../events/event.js';
import { withTotals, type SessionTotals } from './with-totals.js';

const session = (fields: Partial<Event>): Event => ({
  ...emptyEvent(),
  event_type: 'session',
  origin: 'sent',
  start_time: 100,
  end_time: null,
  duration: null,
  ...fields,
});
const TOTALS: SessionTotals = {
  numEvents: 3,
  numModelEvents: 2,
  numErrors: 1,
  hasFeedback: false,
  cost: 0.5,
  unpricedModels: [],
  promptTokens: 7,
  completionTokens: 3,
  totalTokens: 10,
  firstStart: 90,
  lastEnd: 250,
};

describe('a session with the totals of its events', () => {
  it('has the counts and the usage of its events', () => {
    const usage = { cost: 0.5, prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
    const counts = { num_events: 3, num_model_events: 2, num_errors: 1, has_feedback: false };
    expect(withTotals(session({ metadata: { a: 1, num_events: 99 } }), TOTALS).metadata).toStrictEqual({
      a: 1,
      ...counts,
      ...usage,
    });
    expect(withTotals(session({}), undefined).metadata).toStrictEqual({
      num_events: 0,
      num_model_events: 0,
      num_errors: 0,
    });
  });

  it('has an unknown cost beside the models without a price, unless a client set a cost', () => {
    const totals = { ...TOTALS, cost: null, unpricedModels: ['m'] };
    const unknown = { cost: null, unpriced_models: ['m'] };
    expect(withTotals(session({}), totals).metadata).toMatchObject(unknown);
    expect(withTotals(session({ metadata: { cost: null } }), totals).metadata).toMatchObject(unknown);
    const set = withTotals(session({ metadata: { cost: 9 } }), totals).metadata;
    expect(set).toMatchObject({ cost: 9 });
    expect(set).not.toHaveProperty('unpriced_models');
  });

  it('keeps token counts and a cost that a client set', () => {
    const own = { cost: 9, prompt_tokens: 0, total_tokens: null };
    expect(withTotals(session({ metadata: own }), TOTALS).metadata).toMatchObject({
      cost: 9,
      prompt_tokens: 0,
      completion_tokens: 3,
      total_tokens: 10,
    });
  });

  it.each<[string, Partial<Event>, Partial<SessionTotals>, Partial<Event>]>([
    ['sent without an end', {}, {}, { start_time: 100, end_time: 250, duration: 150 }],
    ['sent with an end', { end_time: 120 }, {}, { end_time: 120, duration: null }],
    ['sent with a duration', { duration: 5 }, {}, { end_time: null, duration: 5 }],
    ['sent later than its events', {}, { lastEnd: 95 }, { end_time: 100, duration: 0 }],
    ['whose events are open', {}, { lastEnd: undefined }, { end_time: null, duration: null }],
    ['synthesised', { origin: 'synthesised' }, {}, { start_time: 90, end_time: 250, duration: 160 }],
  ])('has the times of one %s', (_name, fields, totals, expected) => {
    expect(withTotals(session(fields), { ...TOTALS, ...totals })).toMatchObject(expected);
  });
});
