import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scalar } from '../document-store.js';
import { asScalar } from '../rules/indexed-value.js';
import { fromColumn, selectColumn, toColumnValue } from './column-value.js';
import { Connection } from './connection.js';

const RANK = { null: 0, number: 1, string: 2, undefined: 3, boolean: 4 } as const;
const rankOf = (value: Scalar | undefined) =>
  RANK[(value === null ? 'null' : typeof value) as keyof typeof RANK];

/** The order that the port requires. */
function compare(left: Scalar | undefined, right: Scalar | undefined): number {
  if (rankOf(left) !== rankOf(right)) return rankOf(left) - rankOf(right);
  if (typeof left === 'string' && typeof right === 'string')
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  return Number(left ?? 0) - Number(right ?? 0);
}

describe('values in a column', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-order-'));
  let connection: Connection;
  beforeAll(async () => {
    connection = await Connection.open(join(dir, 'values.sqlite'));
    await connection.exec('CREATE TABLE ordered (position INTEGER PRIMARY KEY, value)');
    await connection.exec('CREATE INDEX by_value ON ordered (value, position)');
  });
  afterAll(() => {
    connection.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const text = fc.string({
    unit: fc.constantFrom('a', 'b', 'B', '\0', '\u0001', 'é', '\uffff', '\u{1F600}'),
    maxLength: 6,
  });
  const value = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => asScalar(number)),
    fc.constantFrom(2 ** 53 - 1, 2 ** 60 + 2 ** 10, 1e21, 5e-324, 0.1 + 0.2),
    fc.constantFrom<Scalar>('10', '9', 'a\0\0b', null, true, false),
    text,
    fc.string({ unit: 'grapheme' }),
    fc.constant(undefined),
  );

  it('have the order of the port and are read back unchanged', async () => {
    const insert = await connection.prepare('INSERT INTO ordered (position, value) VALUES (?, ?)');
    const equal = await connection.prepare('SELECT count(*) FROM ordered WHERE value IS ?');
    const select = await connection.prepare(
      `SELECT ${selectColumn('value')} FROM ordered INDEXED BY by_value ORDER BY value, position`,
    );
    const rollBack = async () => {
      if (connection.inTransaction) await connection.exec('ROLLBACK');
    };
    const check = fc.asyncProperty(fc.array(value, { maxLength: 30 }), async (values) => {
      await connection.exec('BEGIN');
      values.forEach((one, position) => insert.run([position, toColumnValue(one)]));
      const stored = [...(await select.iterate([]))].map(([type, found]) => fromColumn(type, found));
      // Wrapped, because JavaScript sorts undefined last regardless of the comparison function.
      const sorted = values.map((one) => ({ one })).sort((left, right) => compare(left.one, right.one));
      expect(stored).toEqual(sorted.map(({ one }) => one));
      for (const one of values)
        expect(equal.get([toColumnValue(one)])?.[0]).toBe(values.filter((other) => other === one).length);
    });
    await fc.assert(check.afterEach(rollBack), { numRuns: 200 });
  });
});
