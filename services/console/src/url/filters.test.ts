import fc from 'fast-check';
import { FILTER_OPERATORS, FILTER_TYPES } from '@assay/domain/browser';
import { parseFilter, printFilter, takesNoValue, toWireFilter, type ListFilter } from './filters.js';

const filters: fc.Arbitrary<ListFilter> = fc
  .record({
    field: fc.string({ minLength: 1, maxLength: 40, unit: 'binary' }),
    operator: fc.constantFrom(...FILTER_OPERATORS),
    value: fc.string({ maxLength: 60, unit: 'binary' }),
    type: fc.constantFrom(...FILTER_TYPES),
  })
  .map((filter) => (takesNoValue(filter.operator) ? { ...filter, value: '', type: 'string' } : filter));

describe('filters in an address', () => {
  const seed = Date.now() % 2 ** 31;

  it(`are the same after printing and reading (seed ${seed})`, () => {
    fc.assert(
      fc.property(filters, (filter) => expect(parseFilter(printFilter(filter))).toEqual(filter)),
      { seed, numRuns: 500 },
    );
  });

  it(`are read from any text, and one that is no filter is kept as it is (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80, unit: 'binary' }), (text) => {
        const chip = parseFilter(text);
        if ('broken' in chip) expect(printFilter(chip)).toBe(text);
        else expect(parseFilter(printFilter(chip))).toEqual(chip);
      }),
      { seed, numRuns: 500 },
    );
  });

  it.each([
    ['metadata.env:is:prod', { field: 'metadata.env', operator: 'is', value: 'prod', type: 'string' }],
    [
      'duration:greater-than:2000:number',
      { field: 'duration', operator: 'greater than', value: '2000', type: 'number' },
    ],
    ['error:exists', { field: 'error', operator: 'exists', value: '', type: 'string' }],
    ['event_name:is:a%3Ab%25', { field: 'event_name', operator: 'is', value: 'a:b%', type: 'string' }],
  ])('%s is readable', (text, filter) => {
    expect(parseFilter(text)).toEqual(filter);
    expect(printFilter(filter as ListFilter)).toBe(text);
  });

  it.each([
    '',
    'x',
    'x:like:y',
    ':is:y',
    'error:exists:y',
    'x:is',
    'x:is:y:number:z',
    'x:is:y:float',
    'x:is:%zz',
  ])('%p is no filter', (text) => expect(parseFilter(text)).toEqual({ broken: text }));

  it('sends every digit of a number beyond 2^53', () => {
    const filter = parseFilter('metadata.id:is:9007199254740993:number') as ListFilter;
    expect(toWireFilter(filter)).toEqual({
      ...{ field: 'metadata.id', operator: 'is', type: 'number', value: '9007199254740993' },
    });
  });

  it('sends the list of `in`', () => {
    const filter = parseFilter('event_name:in:["a","b"]') as ListFilter;
    expect(toWireFilter(filter).value).toEqual(['a', 'b']);
  });
});
