import { randomBytes } from 'node:crypto';
import { findMedia, MIN_MEDIA_LENGTH } from './find-media.js';

const CONTENT = randomBytes(60_000);
const TEXT = CONTENT.toString('base64');

function found(value: object): { type: string; content: Buffer }[] {
  return [...findMedia(Buffer.from(JSON.stringify(value)))].map(({ type, content }) => ({ type, content }));
}

describe('media in a JSON text', () => {
  it.each([
    ['base64', TEXT, ''],
    ['a data URL', `data:image/png;base64,${TEXT}`, 'image/png'],
    ['a data URL with parameters', `data:text/plain;charset=utf-8;base64,${TEXT}`, 'text/plain'],
    ['a data URL without a type', `data:;base64,${TEXT}`, ''],
    ['a data URL in capitals', `DATA:IMAGE/PNG;BASE64,${TEXT}`, 'image/png'],
  ])('are found in %s', (_title, text, type) => {
    expect(found({ a: 'b', list: [1, { text }], z: true })).toStrictEqual([{ type, content: CONTENT }]);
  });

  it.each([
    ['line breaks', TEXT.replace(/(.{76})/g, '$1\n')],
    ['the alphabet for URLs', TEXT.replaceAll('+', '-').replaceAll('/', '_')],
    ['no padding', randomBytes(60_001).toString('base64').replace(/=+$/, '')],
    ['bits behind the last byte', `${'A'.repeat(80_000)}AB==`],
    ['an escape', `\\${TEXT.slice(0, -1)}`],
    ['a comma before it', `see,${TEXT}`],
    ['a text before it', `see ${TEXT}`],
    ['a data URL without base64', `data:image/svg+xml,${TEXT}`],
    ['a JSON text in the text', JSON.stringify({ image: TEXT })],
    ['a length below the limit', 'A'.repeat(MIN_MEDIA_LENGTH - 4)],
  ])('are not found in a text with %s', (_title, text) => {
    expect(found({ a: 'b', text, z: true })).toStrictEqual([]);
  });

  it('are found from the smallest length on, wherever they are', () => {
    const text = 'A'.repeat(MIN_MEDIA_LENGTH);
    for (const before of [0, 1, 16_383, 16_384, 16_385, 50_000])
      expect(found({ before: ' '.repeat(before), text })).toHaveLength(1);
    expect(found({ text: 'A'.repeat(MIN_MEDIA_LENGTH - 1) })).toHaveLength(0);
  });

  it('are found one behind the other, and a key is none', () => {
    expect(found({ one: TEXT, two: [TEXT, TEXT], [TEXT]: 1, three: TEXT })).toHaveLength(4);
  });
});
