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
    { ...record, updateId: '0123456789abcdef' },
  ])('is unchanged after encoding and decoding: $kind', (original) => {
    expect(decodeRecord(encodeRecord(original))).toEqual({ ...original, version: '2' });
  });

  test('is keyed by the id of its event, so that one partition orders the changes of an event', () => {
    expect(encodeRecord(record)).toEqual({
      key: 'e1',
      value: record.value,
      headers: { v: '2', kind: 'patch', project: 'p1' },
    });
  });

  test('has headers of its own when it is an update with an identity', () => {
    const identified = encodeRecord({ ...record, updateId: 'u1' });
    expect(identified.headers).toEqual({ v: '2', kind: 'patch', project: 'p1', update: 'u1' });
    expect(encodeRecord(record).headers).toEqual({ v: '2', kind: 'patch', project: 'p1' });
  });

  test('of the previous version is decoded with its version', () => {
    const encoded = encodeRecord(record);
    expect(decodeRecord({ ...encoded, headers: { ...encoded.headers, v: '1' } })).toEqual({
      ...record,
      version: '1',
    });
  });

  test('is read alike when it names the trace of its request', () => {
    const encoded = encodeRecord(record);
    const headers = {
      ...encoded.headers,
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    };
    expect(decodeRecord({ ...encoded, headers })).toEqual(decodeRecord(encoded));
  });

  test.each([
    ['a newer version', { v: '3' }],
    ['no version', { v: '' }],
    ['another kind', { kind: 'toString' }],
    ['no project', { project: '' }],
  ])('with %s is rejected', (_, headers) => {
    const encoded = encodeRecord(record);
    expect(() => decodeRecord({ ...encoded, headers: { ...encoded.headers, ...headers } })).toThrow(
      /^unknown record (version|kind)$|^the record has no project$/,
    );
  });

  test('without a key is rejected', () => {
    expect(() => decodeRecord({ ...encodeRecord(record), key: '' })).toThrow('the record has no event id');
  });
});
