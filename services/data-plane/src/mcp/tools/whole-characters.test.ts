import { wholeCharacters } from './whole-characters.js';

describe('wholeCharacters', () => {
  it('drops an incomplete character at every cut of a text, and nothing else', () => {
    const characters = ['a', 'é', '€', '😀', 'z'];
    const bytes = Buffer.from(characters.join(''));
    for (let end = 0; end <= bytes.length; end++) {
      const prefixes = characters.map((_, count) => characters.slice(0, count + 1).join(''));
      const longest = prefixes.findLast((prefix) => Buffer.byteLength(prefix) <= end) ?? '';
      expect(wholeCharacters(bytes.subarray(0, end)).toString()).toBe(longest);
    }
  });
});
