import { readAhead } from './read-ahead.js';

/** A source of numbers that counts what was asked for, and keeps the signal of its reader. */
function sourceOf(count: number, failsAt = Infinity) {
  const source = { asked: 0, signal: new AbortController().signal };
  async function* read(signal: AbortSignal): AsyncGenerator<number> {
    source.signal = signal;
    while (source.asked < count) {
      source.asked += 1;
      if (source.asked === failsAt) throw new Error('cannot be read');
      yield await Promise.resolve(source.asked);
    }
  }
  return { source, read };
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('reading ahead', () => {
  const { signal } = new AbortController();

  it('returns all items in their order', async () => {
    const items: number[] = [];
    for await (const item of readAhead(sourceOf(5).read, signal)) items.push(item);
    expect(items).toEqual([1, 2, 3, 4, 5]);
  });

  it('reads nothing before it is asked for, and one item ahead while its reader is slow', async () => {
    const { source, read } = sourceOf(5);
    const items = readAhead(read, signal);
    await settled();
    expect(source.asked).toBe(0);
    for (const item of [1, 2, 3]) {
      expect((await items.next()).value).toBe(item);
      await settled();
      expect(source.asked).toBe(item + 1);
    }
  });

  it('cancels what is being read when the reader leaves', async () => {
    const { source, read } = sourceOf(5);
    for await (const item of readAhead(read, signal)) if (item === 2) break;
    expect(source.signal.aborted).toBe(true);
    await settled();
    expect(source.asked).toBe(3);
  });

  it('returns no further item once the client has disconnected', async () => {
    const client = new AbortController();
    const { source, read } = sourceOf(5);
    const items = readAhead(read, client.signal);
    await items.next();
    client.abort();
    await expect(items.next()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(source.signal.aborted).toBe(true);
    expect((await items.next()).done).toBe(true);
  });

  it('reports a failure when the item is asked for, and never when it is not', async () => {
    const items = readAhead(sourceOf(5, 3).read, signal);
    expect([(await items.next()).value, (await items.next()).value]).toEqual([1, 2]);
    await settled();
    await expect(items.next()).rejects.toThrow('cannot be read');
    const unread = readAhead(sourceOf(5, 2).read, signal);
    await unread.next();
    await settled();
    await unread.return(undefined);
  });
});
