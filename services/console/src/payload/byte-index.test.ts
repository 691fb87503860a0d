import { indexBytes, rootEntry, visitEntries, type Entry } from './byte-index.js';
import { OpenRows } from './open-rows.js';
import { printPath } from './print-path.js';
import { CutValue, ExactNumber, keyOf, printValue, readValue, type Value } from './read-value.js';
import { searchBytes } from './search-bytes.js';

const SEED = 20_261_127;
const ALL = { maxTextBytes: Infinity, maxDepth: Infinity, maxValues: Infinity };

const bytesOf = (text: string) => new TextEncoder().encode(text);
const readAll = (text: string): Value => {
  const index = indexBytes(bytesOf(text));
  return readValue(index, rootEntry(index), ALL);
};

/** The value as JSON.parse would have it. */
function rounded(value: Value): unknown {
  if (value instanceof ExactNumber) return Number(value.digits);
  if (value instanceof CutValue) throw new Error('nothing is cut here');
  if (Array.isArray(value)) return value.map(rounded);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rounded(item)]));
}

/** Random documents with every kind of value, blank and escape sequence. */
class RandomDocuments {
  constructor(private state: number) {}

  next(depth = 0): string {
    const kind = this.below(depth > 5 ? 5 : 8);
    if (kind < 2) return this.text();
    if (kind === 2) return this.number();
    if (kind < 5) return ['null', 'true', 'false'][this.below(3)] ?? 'null';
    const items = Array.from({ length: this.below(6) }, () => this.item(depth, kind % 2 === 0));
    const [open, close] = kind % 2 === 0 ? ['{', '}'] : ['[', ']'];
    return `${this.blank()}${open}${this.blank()}${items.join(',')}${this.blank()}${close}${this.blank()}`;
  }

  private item(depth: number, isMember: boolean): string {
    const value = `${this.blank()}${this.next(depth + 1)}${this.blank()}`;
    return isMember ? `${this.blank()}${this.text()}${this.blank()}:${value}` : value;
  }

  private text(): string {
    const pieces = [
      'a',
      '\\"',
      '\\\\',
      '\\n',
      'é',
      '😀',
      '\\u00e9',
      '\\ud83d\\ude00',
      '\\ud800',
      '{[,:]}',
      ' ',
      '"'.slice(1),
    ];
    return `"${Array.from({ length: this.below(9) }, () => pieces[this.below(pieces.length)] ?? '').join('')}"`;
  }

  private number(): string {
    return (
      ['0', '-1', '1.5', '-2.25e-7', '9007199254740993', '1e400', '12345678901234567890'][this.below(7)] ??
      '0'
    );
  }

  private blank(): string {
    return ['', '', ' ', '\n\t', ' \r\n '][this.below(5)] ?? '';
  }

  private below(limit: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * limit);
  }
}

describe('index over the bytes of a document', () => {
  it('reads 2,000 random documents as JSON.parse does', () => {
    const documents = new RandomDocuments(SEED);
    for (let nth = 0; nth < 2_000; nth++) {
      const text = documents.next();
      const expected: unknown = JSON.parse(text);
      const actual = rounded(readAll(text));
      try {
        expect(actual).toEqual(expected);
      } catch (error) {
        throw new Error(`seed ${String(SEED)}, document ${String(nth)}: ${text}`, { cause: error });
      }
    }
  });

  it('shows every digit of integers and decimals', () => {
    const text = '[9007199254740993,12345678901234567890123,-0.1,1e400,1.8446744073709551617e+19]';
    expect(printValue(readAll(text)).replaceAll(/\s/g, '')).toBe(text);
  });

  it('cuts a text without splitting a character or an escape sequence', () => {
    for (const unit of ['é', '😀', '\\n', '\\u00e9', '\\ud83d\\ude00']) {
      for (let offset = 0; offset < 12; offset++) {
        const content = 'x'.repeat(offset) + unit.repeat(40);
        const index = indexBytes(bytesOf(`"${content}"`));
        const value = readValue(index, rootEntry(index), { ...ALL, maxTextBytes: 50 });
        const whole = JSON.parse(`"${content}"`) as string;
        expect(value).toBeInstanceOf(CutValue);
        expect(whole.startsWith((value as CutValue).beginning)).toBe(true);
        expect((value as CutValue).beginning.length).toBeGreaterThan(0);
      }
    }
  });

  it('reads and opens a document of depth 10,000', () => {
    const depth = 10_000;
    const index = indexBytes(bytesOf(`${'{"a":['.repeat(depth / 2)}7${']}'.repeat(depth / 2)}`));
    expect(index.size).toBe(depth);
    const rows = new OpenRows(index);
    const innermost = rows.reveal('{"a":['.length * (depth / 2));
    expect(rows.at(innermost)).toMatchObject({ depth, entry: { container: -1 } });
    expect(rows.pathTo(innermost)).toHaveLength(depth + 1);
    expect(printValue(readValue(index, rootEntry(index)))).toContain('bytes)');
  });

  it('keeps keys that name properties of every object', () => {
    expect(Object.keys(readAll('{"__proto__":1,"constructor":2}') as object)).toEqual([
      '__proto__',
      'constructor',
    ]);
  });

  it('ends open containers with bytes that end early', () => {
    const index = indexBytes(bytesOf('{"a":[1,{"b":"c'));
    expect(Array.from(index.ends.subarray(0, index.size))).toEqual([15, 15, 15]);
  });
});

describe('rows of a document', () => {
  const text = '{"a":[1,{"b c":"deep"}],"d":null}';
  const index = indexBytes(bytesOf(text));

  it('opens and closes containers in place', () => {
    const rows = new OpenRows(index);
    rows.openFirstLevels(100);
    expect(rows.slice(0, 99).map(({ depth }) => depth)).toEqual([0, 1, 2, 2, 3, 1]);
    rows.toggle(1);
    expect(rows.slice(0, 99).map(({ depth }) => depth)).toEqual([0, 1, 1]);
    rows.toggle(1);
    expect(rows.length).toBe(5);
  });

  it('opens no more levels than rows fit', () => {
    const rows = new OpenRows(index);
    rows.openFirstLevels(4);
    expect(rows.length).toBe(3);
  });

  it('finds a text regardless of case, reveals it and prints its path', () => {
    const rows = new OpenRows(index);
    const [match] = searchBytes(index.bytes, 'DEEP');
    const row = rows.reveal(match ?? -1);
    expect(printPath(index.bytes, 'inputs', rows.pathTo(row))).toBe('inputs.a[1]["b c"]');
  });

  it('finds keys, line breaks and quotes as they are stored', () => {
    const bytes = bytesOf('{"line\\nbreak":"say \\"hi\\""}');
    expect(searchBytes(bytes, 'line\nbreak')).toEqual([2]);
    expect(searchBytes(bytes, '"hi"')).toHaveLength(1);
    expect(searchBytes(bytes, '')).toEqual([]);
  });

  it('offers more of a list than it shows first', () => {
    const large = indexBytes(bytesOf(`[${Array.from({ length: 120_000 }, (_, nth) => nth).join(',')}]`));
    const rows = new OpenRows(large);
    rows.open(0);
    expect(rows.length).toBe(50_002);
    expect(rows.at(50_001)?.more).toBe(70_000);
    rows.toggle(50_001);
    rows.toggle(100_001);
    expect(rows.length).toBe(120_001);
    expect(rows.at(120_000)?.entry.ordinal).toBe(119_999);
  });

  it('lists the entries of a container once each, with their keys', () => {
    const entries: Entry[] = [];
    visitEntries(index, 0, (entry) => {
      entries.push(entry);
      return true;
    });
    expect(entries.map((entry) => keyOf(index.bytes, entry))).toEqual(['a', 'd']);
  });
});
