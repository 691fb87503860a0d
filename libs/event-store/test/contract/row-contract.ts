import { randomUUID } from 'node:crypto';
import { decodeEventRow } from '@assay/event-rows';
import { startAt, startHour } from '@assay/event-rows';
import type { SqlEngine } from '../../src/sql/engine/engine.js';
import { migrate } from '../../src/sql/schema/migrate.js';
import { tableNames } from '../../src/sql/schema/topology.js';
import { writeBatch } from '../../src/sql/write/write-batch.js';
import { batchOf, rowOf } from '../event-fixture.js';
import { randomEvent, randomFrom } from '@assay/event-rows/test/random-fixture';
import { readDerived } from '@assay/event-rows/test/read-derived';

const EVENTS = 300;
const COLUMNS =
  'toString(event_id) AS id, toString(session_id) AS session, toUnixTimestamp64Milli(start_at) AS at, toUnixTimestamp(start_hour) AS hour, ' +
  'project_id, parent_id, children_ids, event_type, event_name, source, start_time, end_time, duration, error, origin, metadata, metrics, ' +
  'feedback, user_properties, run_id, datapoint_id, attrs, nums, complete, toUInt64(ver) AS version, is_deleted';
const LAST_VERSION = Number.MAX_SAFE_INTEGER;

/** The engine decodes every column of a row's bytes. */
export function rowContract(open: () => SqlEngine, database: string): void {
  it('decodes every column of a row to its encoded value', async () => {
    const seed = Date.now() % 2 ** 31;
    const random = randomFrom(seed);
    const events = Array.from({ length: EVENTS }, (_, index) =>
      randomEvent(random, {
        session_id: randomUUID(),
        parent_id: index % 3 === 0 ? null : `é ${index}`,
        children_ids: Array.from({ length: index % 4 }, () => randomUUID()),
        event_name: '漢字 😀 '.repeat(index),
        start_time: [-1, 5e12, 1.7e12 + random() * 1e9][index % 3],
        end_time: index % 2 === 0 ? null : random() * 1e13,
        duration: index % 5 === 0 ? null : random() * 1e-3,
        error: index % 7 === 0 ? 'x'.repeat(index * 100) : null,
        outputs: { text: 'é'.repeat(index * 50) },
      }),
    );
    const rows = events.map((event, index) => rowOf(event, LAST_VERSION - index));
    const engine = open();
    const topology = { database };
    await migrate(engine, topology);
    const tables = tableNames(topology);
    await writeBatch(engine, tables, batchOf({ rows }));
    const narrow = await engine.query<{ id: string }>({
      sql: `SELECT ${COLUMNS} FROM ${tables.events}`,
      bindings: {},
    });
    const wideColumns = 'toString(event_id) AS id, inputs, outputs, config, toUInt64(ver) AS version';
    const wide = await engine.query<{ id: string }>({
      sql: `SELECT ${wideColumns} FROM ${tables.payloads}`,
      bindings: {},
    });
    await engine.close();
    const expected = rows.map(({ bytes, version }) => columnsOf(bytes, version));
    expect({ seed, narrow: byId(narrow) }).toStrictEqual({
      seed,
      narrow: byId(expected.map((row) => row.narrow)),
    });
    expect({ seed, wide: byId(wide) }).toStrictEqual({ seed, wide: byId(expected.map((row) => row.wide)) });
  });
}

function columnsOf(row: Buffer, version: number) {
  const {
    event_id: id,
    session_id: session,
    inputs,
    outputs,
    config,
    metadata,
    metrics,
    feedback,
    user_properties,
    ...fields
  } = decodeEventRow(row);
  const objects = { metadata, metrics, feedback, user_properties };
  const location = { session, at: startAt(fields.start_time), hour: startHour(fields.start_time) };
  return {
    narrow: { id, ...location, ...fields, ...asText(objects), ...readDerived(row), version, is_deleted: 0 },
    wide: { id, ...asText({ inputs, outputs, config }), version },
  };
}

/** As stored in the row: integers beyond 64 bits have an exponent. */
function asText(objects: Record<string, object>): Record<string, string> {
  const text = (value: object) => JSON.stringify(value).replaceAll('100000000000000000000', '1e+20');
  return Object.fromEntries(Object.entries(objects).map(([name, value]) => [name, text(value)]));
}

function byId(rows: readonly { readonly id: string }[]): unknown[] {
  return rows
    .map((row) => Object.fromEntries(Object.entries(row).sort()))
    .sort((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1));
}
