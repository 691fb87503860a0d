import { batchOf, rowOf, sampleEvent } from '../../../test/event-fixture.js';
import { eventBytes, insertToken } from './insert-bytes.js';

describe('the bytes of a batch', () => {
  it('are those of its rows, each with its version behind it', () => {
    const rows = [rowOf(sampleEvent(), 2 ** 53 - 1), rowOf(sampleEvent(), 0)];
    const [{ event_id: eventId, session_id: sessionId }] = [sampleEvent()];
    const parts = eventBytes(rows, [{ projectId: 'p', eventId, sessionId, startTime: 1, version: 7 }]);
    expect([parts[0], parts[2]]).toStrictEqual(rows.map(({ bytes }) => bytes));
    expect([parts[1], parts[3], parts[5]].map((tail) => tail?.toString('hex'))).toStrictEqual([
      'ffffffffffff1f0000',
      '000000000000000000',
      '070000000000000001',
    ]);
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
