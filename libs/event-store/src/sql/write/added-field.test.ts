import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shapeOf, type Event } from '@assay/domain';
import { splitRow } from '@assay/event-rows/test/split-row';
import { EXTENDED_FIELDS } from '@assay/domain/test/extended-shape';
import { rowOf, sampleEvent } from '../../../test/event-fixture.js';
import { ChdbEngine } from '../../chdb/chdb-engine.js';
import { DEFAULT_QUERY_LIMITS, type SqlEngine } from '../engine/engine.js';
import { EventReader, type StoredRow } from '../read/rows/event-reader.js';
import { KEY_COLUMNS } from '../read/rows/row-key.js';
import { foundation, migrations } from '../schema/migrations.js';
import { batchBytes } from './insert-bytes.js';
import { EventRowCodec } from '@assay/event-rows';
import { decodeEventRow, encodeEventRow } from '@assay/event-rows';

const shape = shapeOf(EXTENDED_FIELDS);
const codec = new EventRowCodec(shape);
const ADDED = { labels: { team: 'search', tier: 2 }, region: 'eu-1' };
const topology = { database: 'added' };

function extended(fields: object): Event {
  return { ...sampleEvent(), ...ADDED, ...fields };
}

describe('rows of events with added fields', () => {
  it('have the added values at the end, and the bytes of the released fields in front', () => {
    const event = extended({ labels: {} });
    const row = Buffer.from(codec.encode(event));
    const released = Buffer.from(encodeEventRow(event));
    expect(row.subarray(0, released.length).equals(released)).toBe(true);
    expect(codec.decode(row)).toStrictEqual(event);
    expect(codec.layout.columns.slice(-2)).toStrictEqual(['labels', 'region']);
  });

  it('index the leaves of an added object', () => {
    expect(codec.encode(extended({})).includes('labels.team')).toBe(true);
  });

  it('decode rows of earlier releases with defaults, and complete them for storage', () => {
    const event = sampleEvent();
    const row = Buffer.from(encodeEventRow(event));
    expect(codec.decode(row)).toStrictEqual({ ...event, labels: {}, region: null });
    const completed = codec.encode({ ...event, ...{ labels: {}, region: null } });
    expect(splitRow(row, codec)).toStrictEqual(splitRow(completed, codec));
    expect(decodeEventRow(row)).toStrictEqual(event);
  });

  it('are stored and read by tables that were migrated from the first release', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'assay-added-'));
    const engine = new ChdbEngine({ dir, readers: 1, limits: DEFAULT_QUERY_LIMITS });
    try {
      const steps = migrations(topology, shape).flatMap(({ statements }) => statements);
      for (const statement of [...foundation(topology), ...steps, ...steps]) await engine.command(statement);
      const [stored, older] = [extended({}), sampleEvent({ project_id: 'project' })];
      const rows = [{ bytes: Buffer.from(codec.encode(stored)), version: 1 }, rowOf(older, 2)];
      const { payloads, narrow } = batchBytes({ rows, tombstones: [] }, codec);
      const settings = { async_insert: 0 };
      await engine.insert({ table: 'added.event_payloads', ...payloads, format: 'RowBinary', settings });
      await engine.insert({ table: 'added.events', ...narrow, format: 'RowBinary', settings });
      const found = await readAll(engine);
      expect(found.get(stored.event_id)).toStrictEqual(stored);
      expect(found.get(older.event_id)).toStrictEqual({ ...older, labels: {}, region: null });
    } finally {
      await engine.close();
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

async function readAll(engine: SqlEngine): Promise<Map<string, Event>> {
  const reader = new EventReader(shape);
  const rowsOf = (columns: string, table: string) =>
    engine.query<StoredRow>({ sql: `SELECT ${KEY_COLUMNS}, ${columns} FROM added.${table}`, bindings: {} });
  const narrow = await rowsOf(reader.narrowColumns, 'events');
  const payloads = await rowsOf(reader.payloadColumns, 'event_payloads');
  return new Map(
    narrow.flatMap((row) => {
      const payload = payloads.find(({ key_event }) => key_event === row.key_event);
      return payload === undefined ? [] : [[row.key_event, reader.read(row, payload)] as const];
    }),
  );
}
