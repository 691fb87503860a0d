import { batchOf, rowOf, sampleEvent } from '../contract/event-fixture.js';
import { eventLines, insertToken } from './insert-lines.js';

describe('the lines of a batch', () => {
  it('put the version into a row without touching another byte of it', () => {
    const row = rowOf(sampleEvent({ metadata: { text: '}' } }), 2 ** 53 - 1);
    const line = eventLines([row], []).toString();
    expect(line).toBe(`${row.line.toString().slice(0, -1)},"ver":9007199254740991,"is_deleted":0}\n`);
  });

  it.each([-1, 1.5, 2 ** 53, Number.NaN])('refuse the version %p', (version) => {
    expect(() => eventLines([rowOf(sampleEvent(), version)], [])).toThrow(RangeError);
  });

  it('refuse a row that is no object', () => {
    expect(() => eventLines([{ line: Buffer.from('[]'), version: 1 }], [])).toThrow(RangeError);
    expect(() => eventLines([{ line: Buffer.alloc(0), version: 1 }], [])).toThrow(RangeError);
  });

  it('have one token for the same batch and another for a batch that was cut differently', () => {
    const [one, two] = [rowOf(sampleEvent(), 1), rowOf(sampleEvent(), 2)];
    const tokenOf = (rows: (typeof one)[]) => insertToken(batchOf({ rows, token: 't' }), 'events', eventLines(rows, []));
    expect(tokenOf([one, two])).toBe(tokenOf([one, two]));
    expect(new Set([tokenOf([one, two]), tokenOf([one]), tokenOf([two])]).size).toBe(3);
  });
});
