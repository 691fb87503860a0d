import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_PRICES } from '@assay/otlp';
import { ConfigError } from '@assay/runtime';
import { readPriceTable } from './read-price-table.js';

const folder = mkdtempSync(join(tmpdir(), 'prices-'));
const file = join(folder, 'prices.json');

afterAll(() => rmSync(folder, { recursive: true }));

describe('readPriceTable', () => {
  it('returns the built-in prices unless a file is named', () => {
    expect(readPriceTable(undefined)).toBe(DEFAULT_PRICES);
    writeFileSync(file, '{"as_of":"2026-01-31","prices":[{"models":["m"],"input":1,"output":2}]}');
    expect(readPriceTable(file).find('m', undefined)).toMatchObject({ input: 1, output: 2 });
  });

  it('rejects a missing or invalid file', () => {
    expect(() => readPriceTable(`${file}.missing`)).toThrow(ConfigError);
    writeFileSync(file, '{"as_of":"2026-01-31","prices":[{"models":["m"],"input":-1,"output":2}]}');
    expect(() => readPriceTable(file)).toThrow(
      'PRICE_TABLE_FILE is not a usable price table: prices[0].input must be',
    );
  });
});
