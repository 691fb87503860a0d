import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_PRICES } from '@assay/otlp';
import { ConfigError } from '@assay/runtime';
import { readPriceTable } from './read-price-table.js';

const file = join(mkdtempSync(join(tmpdir(), 'prices-')), 'prices.json');

describe('the prices', () => {
  it('are those that come along, unless a file is named', () => {
    expect(readPriceTable(undefined)).toBe(DEFAULT_PRICES);
    writeFileSync(file, '{"as_of":"2026-01-31","prices":[{"models":["m"],"input":1,"output":2}]}');
    expect(readPriceTable(file).find('m', undefined)).toMatchObject({ input: 1, output: 2 });
  });

  it('of a file that is missing or wrong stop the start', () => {
    expect(() => readPriceTable(`${file}.missing`)).toThrow(ConfigError);
    writeFileSync(file, '{"as_of":"2026-01-31","prices":[{"models":["m"],"input":-1,"output":2}]}');
    expect(() => readPriceTable(file)).toThrow(
      'PRICE_TABLE_FILE names a file that cannot be used: prices[0].input must be',
    );
  });
});
