import { expectClose, REFERENCE } from '../../test/experiments/reference.js';
import { aggregate, AGGREGATE_FUNCTIONS } from './aggregate.js';

describe('aggregate', () => {
  it.each(REFERENCE.aggregates.map((one) => [one.name, one] as const))(
    'agrees with numpy: %s',
    (_name, { values, expected }) => {
      for (const name of AGGREGATE_FUNCTIONS) expectClose(aggregate(name, values), expected[name]);
    },
  );

  it('does not depend on the order of the values', () => {
    const values = [0.1, 1e16, -1e16, 0.2, 3];
    for (const name of AGGREGATE_FUNCTIONS)
      expect(aggregate(name, [...values].reverse())).toBe(aggregate(name, values));
  });

  it('stays finite when a sum exceeds the range of a double', () => {
    const huge = [Number.MAX_VALUE, Number.MAX_VALUE, Number.MAX_VALUE];
    for (const name of AGGREGATE_FUNCTIONS) expect(Number.isFinite(aggregate(name, huge))).toBe(true);
    expect(aggregate('sum', huge)).toBe(Number.MAX_VALUE);
    expectClose(aggregate('average', huge) / Number.MAX_VALUE, 1);
    expect(aggregate('median', [-Number.MAX_VALUE, Number.MAX_VALUE])).toBe(0);
  });

  it('is 0 without values', () => {
    for (const name of AGGREGATE_FUNCTIONS) expect(aggregate(name, [])).toBe(0);
  });
});
