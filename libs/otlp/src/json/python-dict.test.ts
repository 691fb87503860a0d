import { parsePythonDict } from './python-dict.js';

describe('a dictionary that Python printed', () => {
  it.each([
    [
      "{'a': 1, 'b': {'c': None, 'd': -1.5e-7}, 'e': [True, False]}",
      { a: 1, b: { c: null, d: -1.5e-7 }, e: [true, false] },
    ],
    ["{'tier': 'None', 'name': 'default'}", { tier: 'None', name: 'default' }],
    ['{}', {}],
    ['{"a": 1}', undefined],
    ["{'a': \"it's\"}", undefined],
    ["{'a': Usage(input=1)}", undefined],
    ["{'a': 1", undefined],
    ["['a']", undefined],
    ['', undefined],
  ])('is read if it has plain values: %s', (text, expected) => {
    expect(parsePythonDict(text)).toEqual(expected);
  });
});
