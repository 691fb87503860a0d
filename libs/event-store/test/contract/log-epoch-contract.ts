import type { EventStore, LogEpoch } from '../../src/event-store.js';
import type { EngineUnderTest } from '../engine-fixture.js';

/** Epochs and positions of the log. */
export function logEpochContract(engine: EngineUnderTest, database: string): void {
  const opened: EventStore[] = [];
  let databases = 0;
  const open = (name: string) => {
    const store = engine.open(name);
    opened.push(store);
    return store;
  };
  const openEmpty = async () => {
    const name = `${database}_${databases++}`;
    const store = open(name);
    await store.administration.migrate();
    return { name, store };
  };
  afterAll(() => Promise.all(opened.map((store) => store.administration.close())));

  it('has no epoch in an empty store', async () => {
    const { store } = await openEmpty();
    expect(await store.writer.logEpochs()).toEqual([]);
  });

  it('returns epochs lowest first, also to another store, and keeps all positions of a log apart', async () => {
    const { name, store } = await openEmpty();
    const later = entry(2, "topic's/id", [1, 40, 2 ** 44 - 1]);
    const first = entry(0, 'a', [0, 0, 10], [1, 0, 0]);
    const other = entry(2, 'z', [0, 3, 3]);
    for (const one of [other, later, first]) await store.writer.recordLogEpoch(one);
    expect(await open(name).writer.logEpochs()).toEqual([first, later, other]);
  });

  it('keeps the highest position and the lowest first offset of a partition, in any order of writes', async () => {
    const { store } = await openEmpty();
    for (const [first, position] of [
      [7, 20],
      [5, 10],
      [9, 30],
      [9, 25],
    ] as const)
      await store.writer.recordLogEpoch(entry(1, 'log', [0, first, position]));
    await store.writer.recordLogEpoch(entry(1, 'log', [1, 0, 4]));
    expect(await store.writer.logEpochs()).toEqual([entry(1, 'log', [0, 5, 30], [1, 0, 4])]);
  });

  it('agrees on concurrent writes', async () => {
    const { name, store } = await openEmpty();
    const other = open(name);
    const offsets = Array.from({ length: 10 }, (_, index) => index);
    await Promise.all(
      offsets.map((offset) =>
        (offset % 2 ? store : other).writer.recordLogEpoch(entry(3, 'log', [0, offset, offset])),
      ),
    );
    const expected = [entry(3, 'log', [0, 0, 9])];
    expect([await store.writer.logEpochs(), await other.writer.logEpochs()]).toEqual([expected, expected]);
  });
}

function entry(epoch: number, log: string, ...partitions: [number, number, number][]): LogEpoch {
  return {
    epoch,
    log,
    partitions: new Map(partitions.map(([partition, first, position]) => [partition, { first, position }])),
  };
}
