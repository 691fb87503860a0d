import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_PRICES, openPrices } from '@assay/otlp';
import { ConfigError, createMetrics, ShutdownStack } from '@assay/runtime';
import { silentLogger, waitFor } from '@assay/testing';

const folder = mkdtempSync(join(tmpdir(), 'prices-'));
const file = join(folder, 'prices.json');
const shutdown = new ShutdownStack(silentLogger);
const table = (asOf: string, input: number) =>
  JSON.stringify({ as_of: asOf, prices: [{ models: ['m'], input, output: 2 }] });

/** A reader sees the whole old or the whole new file. */
function replace(text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/** Looks at the file every millisecond, and records what operators see. */
function open(path?: string) {
  const logged: string[] = [];
  const log = (phrase: string, fields?: object) => void logged.push(`${phrase} ${JSON.stringify(fields)}`);
  const metrics = createMetrics({ processMetrics: false });
  const prices = openPrices(path, { logger: { info: log, warn: log }, metrics, shutdown, everyMs: 1 });
  return { prices, logged, metrics, inputOf: () => prices().find('m', undefined)?.input };
}

afterAll(async () => {
  await shutdown.close();
  rmSync(folder, { recursive: true });
});

describe('the prices of a process', () => {
  it('are the built-in ones unless a file is named', () => {
    expect(open().prices()).toBe(DEFAULT_PRICES);
    replace(table('2026-01-31', 1));
    expect(open(file).inputOf()).toBe(1);
  });

  it('cannot be opened from a missing or invalid file', () => {
    expect(() => open(`${file}.missing`)).toThrow(ConfigError);
    replace(table('2026-01-31', -1));
    expect(() => open(file)).toThrow('PRICE_TABLE_FILE is not a usable price table: prices[0].input must be');
    replace(' '.repeat(10 * 1024 * 1024 + 1));
    expect(() => open(file)).toThrow('at most 10 MB');
  });

  it('follow the file, whether it is replaced or written in place', async () => {
    replace(table('2026-01-31', 1));
    const { inputOf, prices, logged } = open(file);
    replace(table('2026-02-28', 20));
    await waitFor('the new price', () => inputOf() === 20);
    expect(logged).toEqual(['price table replaced {"asOf":"2026-02-28"}']);
    writeFileSync(file, table('2026-03-31', 30));
    await waitFor('the newest price', () => inputOf() === 30);
    expect(prices().asOf).toBe('2026-03-31');
  });

  it('stay as they are while the file is broken or missing, which is logged once and counted', async () => {
    replace(table('2026-01-31', 1));
    const { inputOf, logged, metrics } = open(file);
    const isRefused = async () => /^assay_price_table_refused 1$/m.test(await metrics.text());
    replace('{"as_of": "2026-02-28", "prices": [{"models": ["m"]}]}');
    await waitFor('the metric', isRefused);
    expect(inputOf()).toBe(1);
    rmSync(file);
    await waitFor('the missing file', () => logged.length === 2);
    expect(inputOf()).toBe(1);
    replace(table('2026-03-31', 3));
    await waitFor('the new price', () => inputOf() === 3);
    await waitFor('the metric', async () => !(await isRefused()));
    expect(logged).toEqual([
      'price table refused, the last usable prices stay {"reason":"prices[0].input is required"}',
      expect.stringContaining('no such file'),
      'price table replaced {"asOf":"2026-03-31"}',
    ]);
  });
});
