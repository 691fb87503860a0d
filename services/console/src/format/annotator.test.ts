import { annotatorOf } from './annotator.js';

it.each([
  ['Anna Müller', 'anna-muller'],
  ['  Åse, Øl  ', 'ase-ol'],
  ['ada@example.com', 'ada-example-com'],
  ['Maß_2', 'mass_2'],
  ['ＡＤＡ', 'ada'],
  ['東京 🙂', ''],
  ['', ''],
  ['---', ''],
  ['x'.repeat(65), 'x'.repeat(64)],
  [`${'x'.repeat(63)} y`, 'x'.repeat(63)],
])('%s annotates as %s', (typed, name) => expect(annotatorOf(typed)).toBe(name));

it('is always empty or a name that the API admits', () => {
  for (let code = 0; code < 0x3000; code++)
    expect(annotatorOf(`a${String.fromCodePoint(code)}`)).toMatch(/^[a-z0-9_-]{1,64}$/);
});
