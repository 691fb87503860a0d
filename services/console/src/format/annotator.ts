/** Letters that do not fall apart into a Latin letter and a mark. */
const SPELLINGS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
};
const MAX_LENGTH = 64;

/**
 * Returns the name under which a person annotates, such as `anna-muller` for `Anna Müller`: what the API admits as one. Empty when the
 * typed name has no letter or digit of these.
 */
export function annotatorOf(typed: string): string {
  return typed
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]/g, (letter) => SPELLINGS[letter] ?? (letter === '_' ? '_' : '-'))
    .replace(/-+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-|-$/g, '');
}
