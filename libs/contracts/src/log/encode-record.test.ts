import { decodeRecord, encodeRecord } from './encode-record.js';
import type { EventRecord } from './event-record.js';

const record: EventRecord = {
  kind: 'patch',
  projectId: 'p1',
  eventId: 'e1',
  fresh: false,
  value: Buffer.from('{"a":1}'),
};

describe('a record of the event log', () => {
  test.each<EventRecord>([
    record,
    { ...record, kind: 'event', fresh: true },
    { ...record, kind: 'delete', value: Buffer.alloc(0) },
    { ...record, kind: 'move' },
  ])('is read as it was written: $kind', (written) => {
    expect(decodeRecord(encodeRecord(written))).toEqual({ ...written, version: '2' });
  });

  test('is keyed by the id of its event, so that one partition orders what happens to it', () => {
    expect(encodeRecord(record)).toEqual({
      key: 'e1',
      value: record.value,
      headers: { v: '2', kind: 'patch', project: 'p1' },
    });
  });

  test('of the version before is read, and says so', () => {
    const encoded = encodeRecord(record);
    expect(decodeRecord({ ...encoded, headers: { ...encoded.headers, v: '1' } })).toEqual({
      ...record,
      version: '1',
    });
  });

  test.each([
    ['a newer version', { v: '3' }],
    ['no version', { v: '' }],
    ['another kind', { kind: 'toString' }],
    ['no project', { project: '' }],
  ])('with %s is refused', (_, headers) => {
    const encoded = encodeRecord(record);
    expect(() => decodeRecord({ ...encoded, headers: { ...encoded.headers, ...headers } })).toThrow(
      /^the (version|kind) of the record is not known$|^the record names no project$/,
    );
  });

  test('without a key is refused', () => {
    expect(() => decodeRecord({ ...encodeRecord(record), key: '' })).toThrow('the record names no event');
  });
});
