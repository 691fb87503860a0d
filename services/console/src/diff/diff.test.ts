import { indexBytes, rootEntry } from '../payload/byte-index.js';
import { readValue, type Value } from '../payload/read-value.js';
import { diffTexts, type TextDiff } from './diff-texts.js';
import { diffJson, MAX_CHANGES } from './json-paths.js';

const read = (text: string): Value => {
  const index = indexBytes(new TextEncoder().encode(text));
  return readValue(index, rootEntry(index));
};
const sideOf = ({ parts }: TextDiff, left: 'added' | 'removed') =>
  parts.flatMap(({ kind, text }) => (kind === left ? [] : [text])).join('');

describe('difference of two JSON values', () => {
  it('lists changed, added and removed values by path', () => {
    const { changes } = diffJson(
      read('{"a":{"b":1,"c d":2},"e":[1,2]}'),
      read('{"a":{"b":3},"e":[1,2,3],"f":null}'),
    );
    expect(changes).toEqual([
      { path: '.a.b', before: '1', after: '3' },
      { path: '.a["c d"]', before: '2', after: undefined },
      { path: '.e[2]', before: undefined, after: '3' },
      { path: '.f', before: undefined, after: 'null' },
    ]);
  });

  it('compares integers digit for digit', () => {
    const { changes } = diffJson(read('[9007199254740992]'), read('[9007199254740993]'));
    expect(changes).toEqual([{ path: '[0]', before: '9007199254740992', after: '9007199254740993' }]);
  });

  it('reports one element that was inserted or removed in a list as one change', () => {
    expect(diffJson(read('[1,2,3,4]'), read('[1,9,2,3,4]')).changes).toEqual([
      { path: '[1]', before: undefined, after: '9' },
    ]);
    expect(diffJson(read('["x","y"]'), read('["y"]')).changes).toEqual([
      { path: '[0]', before: '"x"', after: undefined },
    ]);
  });

  it('counts changes that it does not list', () => {
    const list = (from: number) => JSON.stringify(Array.from({ length: 900 }, (_, at) => [from + at]));
    const { changes, total } = diffJson(read(list(0)), read(list(5_000)));
    expect([changes.length, total]).toEqual([MAX_CHANGES, 900]);
  });

  it('finds no change between equal values, whatever the order of their keys', () => {
    expect(diffJson(read('{"a":1,"b":[{}]}'), read('{"b":[{}],"a":1}')).total).toBe(0);
  });
});

describe('difference of two texts', () => {
  it('marks the words that differ', () => {
    const diff = diffTexts('It was shipped on 3 May.', 'It was cancelled on 3 May.');
    expect(diff.parts.filter(({ kind }) => kind !== 'same')).toEqual([
      { kind: 'removed', text: 'shipped' },
      { kind: 'added', text: 'cancelled' },
    ]);
  });

  it('keeps both texts whole, also when no time is left', () => {
    const [before, after] = ['a b c\nd e f\n'.repeat(400), 'c x a\nf d z\n'.repeat(400)];
    for (const timeout of [1_000, 0]) {
      const diff = diffTexts(before, after, timeout);
      expect(sideOf(diff, 'added')).toBe(before);
      expect(sideOf(diff, 'removed')).toBe(after);
    }
  });

  it('shows unrelated texts in full when no time is left', () => {
    const texts = (seed: number) =>
      Array.from({ length: 3_000 }, (_, at) => `${String(at * seed)}\n`).join('');
    expect(diffTexts(texts(7), texts(11), 0).unit).toBe('none');
  });
});
