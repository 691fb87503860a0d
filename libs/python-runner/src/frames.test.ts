import { FrameReader } from './frames.js';

function frame(kind: string, outcome: string, output: string): Buffer {
  const header = Buffer.alloc(17);
  header.write(kind, 0, 'latin1');
  header.writeUInt32LE(1_500, 1);
  header.writeInt32LE(9, 5);
  header.writeUInt32LE(outcome.length, 9);
  header.writeUInt32LE(output.length, 13);
  return Buffer.concat([header, Buffer.from(outcome + output, 'latin1')]);
}

const expected = { kind: 'ended', durationMs: 1.5, status: 9 };

describe('FrameReader', () => {
  it('returns a frame when its last byte arrives', () => {
    const reader = new FrameReader();
    const bytes = frame('E', 'outcome', 'output');
    const results = [...bytes].map((byte) => reader.add(Buffer.from([byte])));
    expect(results.slice(0, -1).filter((one) => one !== undefined)).toEqual([]);
    const last = results.at(-1);
    expect(last).toMatchObject(expected);
    expect([String(last?.outcome), String(last?.output)]).toEqual(['outcome', 'output']);
  });

  it('keeps what follows a frame', () => {
    const reader = new FrameReader();
    const [first, second] = [frame('E', 'a', ''), frame('T', '', 'b')];
    expect(reader.add(Buffer.concat([first, second.subarray(0, 5)]))).toMatchObject(expected);
    expect(reader.add(second.subarray(5))).toMatchObject({ kind: 'timeout' });
  });

  it('rejects lengths beyond the limits and unknown kinds', () => {
    const long = frame('E', '', '');
    long.writeUInt32LE(1_048_577, 9);
    expect(() => new FrameReader().add(long)).toThrow('too long');
    expect(() => new FrameReader().add(frame('?', '', ''))).toThrow('unknown kind');
  });
});
