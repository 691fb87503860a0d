import { randomUUID } from 'node:crypto';
import { batchOf, rowOf, sampleEvent } from '../../../test/event-fixture.js';
import { encodeNarrowRow, EVENT_ROWS } from '@assay/event-rows';
import { splitRow } from '@assay/event-rows/test/split-row';
import { batchBytes, insertToken, type RowBytes } from './insert-bytes.js';

/** Bytes behind the values of a narrow row. */
const NARROW_END = 9 + 4 + 8;

/** The version and flag, the time, the size of the payload. */
function expectEnd(bytes: Buffer, version: string | undefined, payloadBytes: number): void {
  expect(bytes.subarray(0, 9).toString('hex')).toBe(version);
  expect(Math.abs(bytes.readUInt32LE(9) - Date.now() / 1_000)).toBeLessThan(60);
  expect(Number(bytes.readBigUInt64LE(13))).toBe(payloadBytes);
}

const hex = (digits = '') => Buffer.from(digits, 'hex');
const hex32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes.toString('hex');
};
const joined = ({ parts }: RowBytes) => Buffer.concat(parts).toString('hex');

describe('the bytes of a batch', () => {
  it('are those of its rows by table, each with its version behind it', () => {
    const long = sampleEvent({ outputs: { text: 'long '.repeat(100_000) } });
    const rows = [rowOf(sampleEvent(), 2 ** 53 - 1), rowOf(long, 0), rowOf(sampleEvent(), 3)];
    const [{ event_id: eventId, session_id: sessionId }] = [sampleEvent()];
    const tombstone = { projectId: 'p', eventId, sessionId, startTime: 1, version: 7 };
    const { payloads, narrow, removed } = batchBytes({ rows, tombstones: [tombstone] });
    const ends = ['ffffffffffff1f0000', '000000000000000000', '030000000000000000', '070000000000000001'];
    const split = [...rows.map(({ bytes }) => bytes), EVENT_ROWS.tombstone(tombstone)].map((row) =>
      splitRow(row),
    );
    const expected = split.map(({ payload }, index) => Buffer.concat([payload, hex(ends[index])]));
    expect(joined(payloads)).toBe(Buffer.concat(expected.slice(0, 3)).toString('hex'));
    expect(joined(removed)).toBe(expected[3]?.toString('hex'));
    let stored = hex(joined(narrow));
    for (const [index, row] of split.slice(0, 3).entries()) {
      expect(stored.subarray(0, row.narrow.length).equals(row.narrow)).toBe(true);
      expectEnd(stored.subarray(row.narrow.length), ends[index], row.payloadBytes);
      stored = stored.subarray(row.narrow.length + NARROW_END);
    }
    expectEnd(stored.subarray(-NARROW_END), ends[3], 0);
  });

  it('have the key of each row, and each hour of a session under its id', () => {
    const session_id = randomUUID();
    const [first, second] = [497_000, 497_001].map((hours) => hours * 3_600) as [number, number];
    const starts = [first * 1_000, first * 1_000 + 1, second * 1_000];
    const events = starts.map((start_time) =>
      sampleEvent({ event_id: randomUUID(), session_id, start_time, project_id: 'p' }),
    );
    const { ids } = batchBytes({ rows: events.map((event) => rowOf(event, 1)), tombstones: [] });
    expect(ids.columns).toEqual(['event_id', 'session_id', 'start_hour', 'project_id']);
    const bytes = Buffer.concat(ids.parts);
    const keys = Array.from({ length: bytes.length / 38 }, (_, index) =>
      bytes.subarray(index * 38, index * 38 + 38).toString('hex'),
    );
    const [session, ...own] = [session_id, ...events.map(({ event_id }) => event_id)].map((id) =>
      splitRow(rowOf(sampleEvent({ event_id: id }), 1).bytes)
        .payload.toString('hex')
        .slice(0, 32),
    );
    const keyOf = (id = '', hour = 0) => `${id}${session}${hex32(hour)}0170`;
    expect(keys).toEqual([
      ...[keyOf(own[0], first), keyOf(session, first), keyOf(own[1], first)],
      ...[keyOf(own[2], second), keyOf(session, second)],
    ]);
  });

  it('are in the narrow table alone for rows that keep their payload', () => {
    const keeps = { version: 5, bytes: 300 };
    const leaves = { attrs: { paths: [], values: [] }, nums: { paths: [], values: [] }, complete: true };
    const kept = { bytes: Buffer.from(encodeNarrowRow(sampleEvent(), { leaves })), version: 8, keeps };
    const { payloads, narrow } = batchBytes({ rows: [kept], tombstones: [] });
    expect(payloads.parts).toStrictEqual([]);
    expect(narrow.columns).not.toEqual(expect.arrayContaining(['outputs']));
    const endColumns = ['ver', 'is_deleted', 'stored_at', 'payload_bytes', 'kept_ver', 'kept_bytes'];
    expect(narrow.columns.slice(-6)).toEqual(endColumns);
    const values = splitRow(kept.bytes).narrow.toString('hex');
    const end = ['08', '2c01', '06', '2c01'].map((bytes) => bytes.padEnd(16, '0'));
    expect(joined(narrow).slice(0, values.length)).toBe(values);
    // Without the time.
    expect(
      joined(narrow)
        .slice(values.length)
        .replace(/^(.{18}).{8}/, '$1'),
    ).toBe(`${end[0]}00${end.slice(1).join('')}`);
    const mixed = batchBytes({ rows: [kept, rowOf(sampleEvent(), 9)], tombstones: [] });
    expect(joined(mixed.payloads).endsWith('090000000000000000')).toBe(true);
    expect(mixed.narrow.columns.slice(-6)).toEqual(endColumns);
  });

  it.each([-1, 1.5, 2 ** 53, Number.NaN])('refuse the version %p', (version) => {
    expect(() => batchBytes({ rows: [rowOf(sampleEvent(), version)], tombstones: [] })).toThrow(RangeError);
  });

  it('refuse a row that is none', () => {
    const rows = [{ bytes: Buffer.from('{}'), version: 1 }];
    expect(() => batchBytes({ rows, tombstones: [] })).toThrow('the row of an event ends too early');
  });

  it('have one token for the same batch and another for a batch that was cut differently', () => {
    const [one, two] = [rowOf(sampleEvent(), 1), rowOf(sampleEvent(), 2)];
    const tokenOf = (rows: (typeof one)[]) =>
      insertToken(batchOf({ rows, token: 't' }), 'narrow', batchBytes({ rows, tombstones: [] }).narrow.parts);
    expect(tokenOf([one, two])).toBe(tokenOf([one, two]));
    expect(new Set([tokenOf([one, two]), tokenOf([one]), tokenOf([two])]).size).toBe(3);
  });
});
