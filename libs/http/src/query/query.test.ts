import fc from 'fast-check';
import { decodeQuery } from './query-string.js';
import { coerceQuery } from './coerce-query.js';
import { assertKnownParameters } from './known-parameters.js';
import { parsePythonLiteral } from './python-literal.js';

const schema = {
  properties: {
    name: { type: 'string' },
    run_ids: { type: 'array' },
    limit: { type: 'integer' },
    cost: { type: 'number' },
    only: { type: 'boolean' },
    id: { type: 'string', format: 'uuid' },
    dataset_id: { type: 'string', minLength: 1 },
    aggregate: { type: 'string', enum: ['average', 'min'] },
    dateRange: { type: ['object', 'string'] },
    filters: { type: 'array' },
  },
};
const read = (text: string) => coerceQuery(schema, decodeQuery(text));

describe('decodeQuery and coerceQuery', () => {
  const range = { $gte: '2026-11-01', $lte: '2026-11-08' };
  const filter = { field: 'metadata.run', operator: 'is', value: 'x' };

  test.each<[string, string]>([
    ['brackets', 'dateRange[$gte]=2026-11-01&dateRange[$lte]=2026-11-08'],
    ['encoded brackets', 'dateRange%5B%24gte%5D=2026-11-01&dateRange%5B%24lte%5D=2026-11-08'],
    ['Python', `dateRange=${encodeURIComponent("{'$gte': '2026-11-01', '$lte': '2026-11-08'}")}`],
    ['JSON', `dateRange=${encodeURIComponent(JSON.stringify(range))}`],
  ])('read a range in %s', (_, text) => {
    expect(read(text)).toEqual({ dateRange: range });
  });

  test.each<[string, string]>([
    ['brackets', 'filters[0][field]=metadata.run&filters[0][operator]=is&filters[0][value]=x'],
    [
      'one Python dict',
      `filters[]=${encodeURIComponent("{'field': 'metadata.run', 'operator': 'is', 'value': 'x'}")}`,
    ],
    [
      'a Python list',
      `filters=${encodeURIComponent("[{'field': 'metadata.run', 'operator': 'is', 'value': 'x'}]")}`,
    ],
    ['a JSON list', `filters=${encodeURIComponent(JSON.stringify([filter]))}`],
    ['one JSON object', `filters=${encodeURIComponent(JSON.stringify(filter))}`],
    ['a filterArray', `filters=${encodeURIComponent(JSON.stringify({ filterArray: [filter] }))}`],
  ])('read filters in %s', (_, text) => {
    expect(read(text)).toEqual({ filters: [filter] });
  });

  test('keep a relative range and plain text unchanged', () => {
    expect(read('dateRange=7d&name={a')).toEqual({ dateRange: '7d', name: '{a' });
  });

  test('read lists of one and of several items', () => {
    expect(read('run_ids[]=a')).toEqual({ run_ids: ['a'] });
    expect(read('run_ids=a')).toEqual({ run_ids: ['a'] });
    expect(read('run_ids=a&run_ids=b')).toEqual({ run_ids: ['a', 'b'] });
    expect(
      read(Array.from({ length: 300 }, (_, index) => `run_ids[]=${index}`).join('&')).run_ids,
    ).toHaveLength(300);
  });

  test('convert numbers and booleans and leave other text to the schema', () => {
    expect(read('limit=10&cost=0.5&only=true')).toEqual({ limit: 10, cost: 0.5, only: true });
    expect(read('limit=abc&cost=0x10&only=yes')).toEqual({ limit: 'abc', cost: '0x10', only: 'yes' });
    expect(read('limit=1e9&cost=-1')).toEqual({ limit: 1e9, cost: -1 });
  });

  test('treat None as absent, except in free text', () => {
    expect(
      read(
        'limit=None&cost=None&only=None&id=None&dataset_id=None&aggregate=None&dateRange=None&filters=None&run_ids=None',
      ),
    ).toEqual({});
    expect(read('name=None')).toEqual({ name: 'None' });
  });

  test.each(['dateRange={broken', 'dateRange=[1', 'filters=[{]', 'filters[]={broken'])(
    '%s is refused',
    (text) => {
      expect(() => read(text)).toThrow(/must be (JSON|an object)/);
    },
  );

  test('reject too many parameters', () => {
    expect(() => read('a=1&'.repeat(1001))).toThrow('query has more than 1000 parameters');
  });

  test('keep special keys inside JSON', () => {
    expect(JSON.stringify(read(`dateRange=${encodeURIComponent('{"__proto__":{"a":1}}')}`))).toBe(
      '{"dateRange":{"__proto__":{"a":1}}}',
    );
  });

  test('never pollute built-in prototypes', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.constantFrom(
              '__proto__',
              'constructor',
              'prototype',
              'a',
              '[',
              ']',
              '[a]',
              '.',
              '=',
              '%5B',
              '%5D',
            ),
            fc.string(),
          ),
          { maxLength: 6 },
        ),
        (parts) => {
          try {
            decodeQuery(parts.flat().join(''));
          } catch (error) {
            expect(error).toMatchObject({ code: 'VALIDATION_ERROR' });
          }
          expect(Object.keys(Object.prototype)).toEqual([]);
        },
      ),
      { seed: Date.now(), numRuns: 1000 },
    );
  });
});

describe('parsePythonLiteral', () => {
  test.each<[string, unknown]>([
    [
      "{'a': 'x', \"b\": [1, 2.5, -3], 'c': (True, False, None)}",
      { a: 'x', b: [1, 2.5, -3], c: [true, false, null] },
    ],
    ['[]', []],
    ['(1,)', [1]],
    ["'it\\'s \\u00fc\\n\\x41'", "it's ü\nA"],
    ['1e3', 1000],
    ['{}', {}],
  ])('parses %s', (text, value) => {
    expect(parsePythonLiteral(text)).toEqual(value);
  });

  test.each([
    '',
    "{'a'}",
    '{1: 2}',
    "__import__('os')",
    "'open",
    '[1 2]',
    '[1',
    '1e999',
    "{'a': foo()}",
    '['.repeat(100),
    "'\\N{DASH}'",
    "f'x'",
  ])('rejects %s', (text) => {
    expect(parsePythonLiteral(text)).toBeUndefined();
  });

  test('never throws for any text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...'{}[]()\'",:\\ux1e.-TFN None True'.split('')), { maxLength: 40 }),
        (characters) => {
          expect(() => parsePythonLiteral(characters.join(''))).not.toThrow();
        },
      ),
      { seed: Date.now(), numRuns: 2000 },
    );
  });
});

describe('a parameter that a route does not have', () => {
  const known = ['dateRange', 'filters', 'limit', 'cursor', 'evaluation_id', 'dataset_id'];
  const check = (text: string) => assertKnownParameters(decodeQuery(text), known, ['project']);

  test.each([
    ['DATERANGE=7d', 'DATERANGE is not a parameter of this route: did you mean dateRange'],
    ['date_range[$gte]=1', 'date_range is not a parameter of this route: did you mean dateRange'],
    ['filter=x', 'filter is not a parameter of this route: did you mean filters'],
    ['run_id=x', 'run_id is not a parameter of this route: did you mean evaluation_id'],
    ['dataset_ids=x', 'dataset_ids is not a parameter of this route: did you mean dataset_id'],
    ['page_size=5', 'page_size is not a parameter of this route: did you mean limit'],
    ['Limit=5', 'Limit is not a parameter of this route: did you mean limit'],
    ['%C3%A9=1', '? is not a parameter of this route: did you mean'],
    [`${'x'.repeat(500)}=1`, `${'x'.repeat(64)} is not a parameter`],
  ])('is refused and the nearest one named: %s', (text, message) => {
    expect(() => check(text)).toThrow(message);
  });

  test('is accepted when a client sends it for no reason, or as an absent argument', () => {
    check('limit=5&project=mine&filters[]=a&unknown=None');
    expect(() => assertKnownParameters({ a: '1' }, [], [])).toThrow(
      'a is not a parameter of this route, which has none',
    );
  });
});
