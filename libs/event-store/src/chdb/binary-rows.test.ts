import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_QUERY_LIMITS } from '../sql/engine/engine.js';
import { ChdbEngine } from './chdb-engine.js';

/** Columns of all types that are read as bytes. */
const COLUMNS = [
  `toString(number) AS text`,
  `multiIf(number % 3 = 0, '', number % 3 = 1, 'Grüße 😀 "\\n\\0', repeat('x', 100)) AS special`,
  `toLowCardinality(toString(intDiv(number, 4))) AS repeated`,
  `toUInt8(number) AS small`,
  `toUInt32(4294967295 - number) AS medium`,
  `toUInt64(18446744073709551615 - number) AS large`,
  `bitShiftRight(sipHash64(number), 11) AS hash`,
  `number % 2 = 0 AS flag`,
  `toBool(number % 2) AS truth`,
  `number / 3 - 1 AS fraction`,
  `multiIf(number = 1, nan, number = 2, inf, number = 3, -0., 1.) AS odd`,
  `if(number % 2 = 0, NULL, number / 3) AS maybe`,
  `if(number % 2 = 0, NULL, toString(number)) AS maybeText`,
  `arrayMap(item -> concat('item ', toString(item)), range(number % 3)) AS list`,
  `arrayMap(item -> toUInt8(item + number), range(number)) AS bytes`,
  `arrayMap(item -> toUInt32(4294967295 - item), range(number % 4)) AS positions`,
  `arrayMap(item -> item / 3 - number, range(number % 5)) AS fractions`,
  `CAST(([concat('a', toString(number % 2)), 'b'], [1.5, toFloat64(number)]), 'Map(LowCardinality(String), Float64)') AS numbers`,
  `CAST((['k'], [toString(number)]), 'Map(LowCardinality(String), String)') AS texts`,
];

describe('rows that come as bytes', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-binary-rows-'));
  const engine = new ChdbEngine({ dir, readers: 1, limits: DEFAULT_QUERY_LIMITS });

  afterAll(async () => {
    await engine.close();
    rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  const rowsOf = (sql: string, isBinary: boolean) => engine.query({ sql, bindings: {}, isBinary });

  it('have the values of those that come as JSON', async () => {
    const sql = `SELECT ${COLUMNS.join(', ')} FROM numbers(20)`;
    const rows = await rowsOf(sql, true);
    expect(rows).toHaveLength(20);
    const listed = (_name: string, value: unknown) =>
      ArrayBuffer.isView(value) ? Array.from(value as Uint8Array) : value;
    expect(rows.map((row) => JSON.stringify(row, listed))).toEqual(
      (await rowsOf(sql, false)).map((row) => JSON.stringify(row)),
    );
  });

  it('are none when there are none', async () => {
    expect(await rowsOf('SELECT number FROM numbers(0)', true)).toEqual([]);
  });

  it('are refused with a column of another type', async () => {
    await expect(rowsOf('SELECT today() AS day', true)).rejects.toThrow();
  });
});
