import { namesTag, notModified } from './entity-tag.js';

describe('an entity tag', () => {
  it.each([
    ['"a"', '"a"', true],
    ['W/"a"', '"a"', true],
    ['"b", W/"a"', 'W/"a"', true],
    ['*', '"a"', true],
    ['"b"', '"a"', false],
    ['a', '"a"', false],
    [undefined, '"a"', false],
  ])('is named by %p: %p is %p', (condition, tag, expected) => {
    expect(namesTag(condition, tag)).toBe(expected);
  });

  it('that the client has needs no body', () => {
    expect(notModified({ 'if-none-match': '"a"' }, '"a"')).toMatchObject({ status: 304, body: undefined });
    expect(notModified({ 'if-none-match': '"b"' }, '"a"')).toBeUndefined();
  });
});
