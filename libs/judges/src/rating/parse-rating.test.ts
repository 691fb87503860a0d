import { parseRating } from './parse-rating.js';

describe('ratings of numbers', () => {
  it.each([
    ['Good. [[4]]', 4, 'Good.'],
    ['[[4.5]] because', 4.5, 'because'],
    ['[[ -1 ]]', -1, ''],
    ['[[+2]]', 2, ''],
    ['[[1e-2]]', 0.01, ''],
    ['[[.5]] [[5.]]', 5, '[[.5]]'],
    ['first [[1]], better [[3]] end', 3, 'first [[1]], better\nend'],
    ['[[4]] and [1]', 4, 'and [1]'],
    ['a [[9]]]', undefined, ''],
    ['[[[4]]]', undefined, ''],
    ['4', 4, ''],
    [' 4.\n', 4, ''],
    ['0.25', 0.25, ''],
    ['[[0]]', 0, ''],
    ['[[100]]', 100, ''],
    ['[[4/5]]', undefined, ''],
    ['[[four]]', undefined, ''],
    ['[[NaN]]', undefined, ''],
    ['[[Infinity]]', undefined, ''],
    ['[[1e999]]', undefined, ''],
    ['[[0x10]]', undefined, ''],
    ['[[1,5]]', undefined, ''],
    ['[[1_000]]', undefined, ''],
    ['[[٣]]', undefined, ''],
    ['[[]]', undefined, ''],
    ['[[3]] then [[none]]', undefined, ''],
    ['Rating: 4', undefined, ''],
    ['[4]', undefined, ''],
    ['[[4', undefined, ''],
    ['4]]', undefined, ''],
    [']][[', undefined, ''],
    ['', undefined, ''],
    ['   ', undefined, ''],
    ['4 5', undefined, ''],
    ['true', undefined, ''],
  ])('reads %j as %j', (reply, value, explanation) => {
    const rating = parseRating(reply, 'float');
    expect([rating?.value, rating?.explanation ?? '']).toEqual([value, explanation]);
  });
});

describe('ratings of booleans', () => {
  it.each([
    ['[[true]]', true],
    ['[[False]]', false],
    ['[[YES]]', true],
    ['[[no]]', false],
    ['[[1]]', true],
    ['[[0]]', false],
    ['Yes.', true],
    ['no', false],
    ['[[maybe]]', undefined],
    ['[[2]]', undefined],
    ['[[constructor]]', undefined],
    ['[[1.0]]', undefined],
    ['[[t]]', undefined],
    ['Yes, because', undefined],
  ])('reads %j as %j', (reply, value) => expect(parseRating(reply, 'boolean')?.value).toBe(value));
});

describe('ratings of categories', () => {
  const categories = ['Good', 'bad', 'BAD', 'so so'];
  it.each([
    ['[[Good]]', 'Good'],
    ['[[good]]', 'Good'],
    ['[[BAD]]', 'BAD'],
    ['[[Bad]]', 'bad'],
    ['[[ So So ]]', 'so so'],
    ['[[other]]', undefined],
    ['Good', undefined],
    ['[[Good, bad]]', undefined],
    ['', undefined],
  ])('reads %j as %j', (reply, value) =>
    expect(parseRating(reply, 'categorical', categories)?.value).toBe(value),
  );
});

describe('ratings of text', () => {
  it.each([
    ['a [[b]] c', 'b', 'a\nc'],
    [' the whole reply \n', 'the whole reply', ''],
    ['[[]]', '', ''],
    ['[[a\nb]]', 'a\nb', ''],
  ])('reads %j as %j', (reply, value, explanation) =>
    expect(parseRating(reply, 'string')).toEqual({ value, explanation }),
  );

  it('finds none in an empty reply', () => expect(parseRating(' ', 'string')).toBeUndefined());
});

it('reads long replies in linear time', () => {
  for (const reply of [
    '[['.repeat(1_000_000),
    ']]'.repeat(1_000_000),
    '[[]'.repeat(700_000),
    '[['.repeat(500_000) + '1]]',
  ])
    parseRating(reply, 'float');
  expect(parseRating(`${'[['.repeat(500_000)}1]]`, 'float')?.value).toBe(1);
});
