import fc from 'fast-check';
import { AppError } from '@assay/errors';
import { runSync } from '@assay/runtime';
import { checkJsonSteps, parseJson } from './parse-json.js';
import { findJsonPosition } from './json-position.js';
import { scanJsonSteps, STEP_BYTES } from './scan-json.js';

function rejectionOf(bytes: Buffer | string): string {
  try {
    parseJson(Buffer.from(bytes as string));
  } catch (error) {
    if (error instanceof AppError && error.code === 'VALIDATION_ERROR') return error.message;
    throw error;
  }
  throw new Error('the text was accepted');
}

describe('parseJson', () => {
  test('returns what JSON.parse returns for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.boolean(), (value, pretty) => {
        const text = JSON.stringify(value, null, pretty ? 2 : 0);
        expect(JSON.stringify(parseJson(Buffer.from(text)))).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { seed: Date.now(), numRuns: 500 },
    );
  });

  test('ignores a byte-order mark', () => {
    expect(parseJson(Buffer.from('\ufeff{"a":1}'))).toEqual({ a: 1 });
  });

  test('keeps keys with a special meaning in JavaScript', () => {
    const text = '{"__proto__":{"isAdmin":true},"constructor":{"prototype":1}}';
    expect(JSON.stringify(parseJson(Buffer.from(text)))).toBe(text);
    expect('isAdmin' in {}).toBe(false);
  });

  test('keeps surrogate pairs and replaces lone surrogates with U+FFFD', () => {
    expect(
      parseJson(Buffer.from('["\\ud83d\\ude00","\\ud800","x\\udc00y","\\ud800\\ud83d\\ude00","\\\\ud800"]')),
    ).toEqual(['😀', '\ufffd', 'x\ufffdy', '\ufffd😀', '\\ud800']);
  });

  test.each<[string, string | Buffer, string]>([
    ['no bytes', '', 'body is empty'],
    ['only a byte-order mark', '\ufeff', 'body is empty'],
    [
      'bytes that are not UTF-8',
      Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
      'body is not valid UTF-8',
    ],
    ['not a number', '{"a":NaN}', 'body is not valid JSON, at byte 5, in a'],
    ['a trailing comma', '{"a":1,}', 'body is not valid JSON, at byte 7'],
    ['a trailing comma in a list', '{"a":[1,]}', 'body is not valid JSON, at byte 8, in a[1]'],
    ['text after the end', '{"a":1} x', 'body is not valid JSON, at byte 8'],
    ['single quotes', "{'a':1}", 'body is not valid JSON, at byte 1'],
    ['an unquoted word', 'secret', 'body is not valid JSON, at byte 0'],
    ['an invalid escape', '["\\x"]', 'body is not valid JSON, at byte 2, in [0]'],
    ['a line break in a text', '["a\nb"]', 'body is not valid JSON, at byte 3, in [0]'],
    ['a leading zero', '[01]', 'body is not valid JSON, at byte 2'],
    [
      'a truncated body',
      '{"events":[{"inputs":{"q":"wh',
      'body ends in the middle of its JSON, at byte 29, in events[0].inputs.q',
    ],
    ['an infinite number', '{"start_time":1e999}', 'start_time must be a finite number'],
    [
      'an infinite number with many digits',
      `{"a":[{"b":-${'9'.repeat(400)}}]}`,
      'a[0].b must be a finite number',
    ],
    ['a key with NUL', '{"inputs":{"a\\u0000b":1}}', 'inputs has a key with a NUL character'],
    [
      'deeply nested lists',
      `{"inputs":${'['.repeat(1000)}${']'.repeat(1000)}}`,
      'inputs[0][0][0][0][0]… is nested deeper than 64 levels',
    ],
    ['unclosed lists', '['.repeat(1_000_000), '[0][0][0][0][0][0]… is nested deeper than 64 levels'],
  ])('rejects %s and reports the position without the content', (_, bytes, message) => {
    expect(rejectionOf(bytes)).toBe(message);
  });

  test('accepts NUL in a value and large finite numbers', () => {
    expect(
      parseJson(
        Buffer.from('{"a":"\\u0000","b":1e308,"c":-1e-999,"d":12345678901234567890,"é":[-9007199254740993]}'),
      ),
    ).toEqual({
      a: '\0',
      b: 1e308,
      c: -0,
      d: 12345678901234567890n,
      é: [-9007199254740993n],
    });
  });

  test('keeps the digits of many large integers', () => {
    const text = `{"é":[${'-12345678901234567890,"é",'.repeat(25_000)}12345678901234567891]}`;
    expect(JSON.stringify(parseJson(Buffer.from(text))) === text).toBe(true);
  });

  test('puts large integers in quotes for a decoder that parses the text', () => {
    const text =
      '{"é":12345678901234567890,"b":[1,-9007199254740993 ,"12345678901234567890",1.2345678901234567890]}';
    expect(runSync(checkJsonSteps(Buffer.from(text))).toString()).toBe(
      '{"é":"12345678901234567890","b":[1,"-9007199254740993" ,"12345678901234567890",1.2345678901234567890]}',
    );
    expect(() => parseJson(Buffer.from('{12345678901234567890 :1}'))).toThrow(
      'body is not valid JSON, at byte 1',
    );
  });

  test('accepts 64 levels of nesting and rejects 65', () => {
    expect(parseJson(Buffer.from('['.repeat(64) + ']'.repeat(64)))).toBeDefined();
    expect(rejectionOf('['.repeat(65) + ']'.repeat(65))).toContain('nested deeper than 64 levels');
  });

  test('accepts 2,000,000 values and rejects one more, in any notation', () => {
    for (const [open, item, close] of [
      ['[', '{}', ']'],
      ['[', '1', ']'],
      ['[', ' { } ', ']'],
      ['[', '"a,[{"', ']'],
    ] as const) {
      const list = (count: number) => open + `${item},`.repeat(count - 1) + item + close;
      expect(parseJson(Buffer.from(list(1_999_999)))).toHaveLength(1_999_999);
      expect(rejectionOf(list(2_000_000))).toBe('body has more than 2,000,000 values');
    }
  });

  test('accepts 100,000 keys in one object and rejects one more', () => {
    const object = (count: number) =>
      `{"inputs":{${Array.from({ length: count }, (_, index) => `"${index}":[1,2]`).join(',')}}}`;
    expect(parseJson(Buffer.from(object(100_000)))).toBeDefined();
    expect(rejectionOf(object(100_001))).toMatch(/^inputs.* has more than 100,000 keys in one object$/);
  });

  test('rejects 40 MB of empty objects after scanning a quarter of them at most, before they are parsed', () => {
    const flood = Buffer.from(`[${'{},'.repeat(13_000_000)}{}]`);
    expect(rejectionOf(flood)).toBe('body has more than 2,000,000 values');
    let steps = 0;
    const scan = scanJsonSteps(flood);
    expect(() => {
      while (scan.next().done !== true) steps += 1;
    }).toThrow('body has more than 2,000,000 values');
    expect(steps * STEP_BYTES).toBeLessThan(flood.length / 4);
  });

  test('rejects truncated or changed text exactly when JSON.parse does, with a position inside the text', () => {
    const change = fc.record({
      at: fc.nat(),
      byte: fc.constantFrom(...'{}[]",:0ae\\ntu-. '),
      mode: fc.constantFrom('cut', 'set', 'drop'),
    });
    fc.assert(
      fc.property(fc.object({ maxDepth: 3 }), change, (value, { at, byte, mode }) => {
        const text = JSON.stringify(value).replace(/[^\x20-\x7e]/g, 'x');
        const offset = at % text.length;
        const changed =
          text.slice(0, offset) +
          (mode === 'cut' ? '' : (mode === 'set' ? byte : '') + text.slice(offset + 1));
        const isJson = parses(changed);
        const found = findJsonPosition(Buffer.from(changed));
        if (isJson) expect(found.offset).toBe(changed.length);
        else if (changed !== '') expect(rejectionOf(changed)).toMatch(/at byte \d+|NUL|finite/);
      }),
      { seed: Date.now(), numRuns: 2000 },
    );
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
