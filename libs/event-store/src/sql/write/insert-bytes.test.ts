import { PAYLOAD_FIELDS } from '@assay/domain';
import { batchOf, rowOf, sampleEvent } from '../../../test/event-fixture.js';
import { encodeNarrowRow } from '@assay/event-rows';
import { eventBytes, insertToken, narrowBytes } from './insert-bytes.js';

describe('the bytes of a batch', () => {
  it('are those of its rows, each with its version behind it', () => {
    const rows = [rowOf(sampleEvent(), 2 ** 53 - 1), rowOf(sampleEvent(), 0)];
    const [{ event_id: eventId, session_id: sessionId }] = [sampleEvent()];
    const parts = eventBytes(rows, [{ projectId: 'p', eventId, sessionId, startTime: 1, version: 7 }]);
    expect([parts[0], parts[2]]).toStrictEqual(rows.map(({ bytes }) => bytes));
    const tails = [parts[1], parts[3], parts[5]];
    expect(tails.map((tail) => tail?.subarray(0, 9).toString('hex'))).toStrictEqual([
      'ffffffffffff1f0000',
      '000000000000000000',
      '070000000000000001',
    ]);
    for (const tail of tails) expect(Math.abs(tail!.readUInt32LE(9) - Date.now() / 1_000)).toBeLessThan(60);
  });

  it('are those of the narrow columns when every row keeps its payload', () => {
    const keeps = { version: 5, bytes: 300 };
    const [event, other] = [sampleEvent(), sampleEvent()];
    const leaves = { attrs: { paths: [], values: [] }, nums: { paths: [], values: [] }, complete: true };
    const [one, two] = [event, other].map((of) => Buffer.from(encodeNarrowRow(of, { leaves })));
    const rows = [
      { bytes: one!, version: 8, keeps },
      { bytes: two!, version: 9, keeps },
    ];
    const narrow = narrowBytes({ rows, tombstones: [] })!;
    expect(narrow.columns).not.toEqual(expect.arrayContaining(['outputs']));
    expect(narrow.columns.slice(-6)).toEqual([
      'ver',
      'is_deleted',
      'stored_at',
      'kept_ver',
      'kept_bytes',
      'payload_bytes',
    ]);
    const emptyPayloads = 2 * PAYLOAD_FIELDS.length;
    const tails = 2 * (4 * 8 + 1 + 4);
    expect(Buffer.concat(narrow.parts)).toHaveLength(one!.length + two!.length - emptyPayloads + tails);
    const tail = narrow.parts.at(-1)?.toString('hex');
    // Without the time.
    expect(tail?.replace(/^(.{18}).{8}/, '$1')).toBe(
      ['09', '06', '2c01', '2c01']
        .map((hex) => hex.padEnd(16, '0'))
        .join('')
        .replace(/^.{16}/, '$&00'),
    );
  });

  it('are not narrow when a payload has to be written as well', () => {
    const keeps = { version: 5, bytes: 300 };
    const [{ event_id: eventId, session_id: sessionId }, row] = [sampleEvent(), rowOf(sampleEvent(), 1)];
    const tombstones = [{ projectId: 'p', eventId, sessionId, startTime: 1, version: 7 }];
    expect(narrowBytes({ rows: [{ ...row, keeps }], tombstones })).toBeUndefined();
    expect(narrowBytes({ rows: [{ ...row, keeps }, row], tombstones: [] })).toBeUndefined();
  });

  it.each([-1, 1.5, 2 ** 53, Number.NaN])('refuse the version %p', (version) => {
    expect(() => eventBytes([rowOf(sampleEvent(), version)], [])).toThrow(RangeError);
  });

  it('refuse a row that is none', () => {
    expect(() => eventBytes([{ bytes: Buffer.from('{}'), version: 1 }], [])).toThrow(
      'the row of an event ends too early',
    );
  });

  it('have one token for the same batch and another for a batch that was cut differently', () => {
    const [one, two] = [rowOf(sampleEvent(), 1), rowOf(sampleEvent(), 2)];
    const tokenOf = (rows: (typeof one)[]) =>
      insertToken(batchOf({ rows, token: 't' }), 'events', eventBytes(rows, []));
    expect(tokenOf([one, two])).toBe(tokenOf([one, two]));
    expect(new Set([tokenOf([one, two]), tokenOf([one]), tokenOf([two])]).size).toBe(3);
  });
});
