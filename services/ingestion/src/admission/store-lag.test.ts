import { StoreLag } from './store-lag.js';

const MAX_LAG_MS = 2_000;
/** Cost that the simulated reader stores in a millisecond. */
const PER_MS = 50_000;
const SECOND = 1_000 * PER_MS;

/** A reader that stores a log of one partition, whose offsets are costs, in order, and a process that appends to it, on a simulated clock. */
class Simulation {
  time = 0;
  isDown = false;
  private position = 0;
  readonly lag: StoreLag;

  constructor(
    maxLagMs = MAX_LAG_MS,
    private end = 0,
  ) {
    this.lag = new StoreLag({ now: () => this.time, maxLagMs });
  }

  append(project: string, cost: number): void {
    const settle = this.lag.begin(project, cost);
    this.end += cost;
    settle();
  }

  /** Appends for the project as often as it is admitted. Returns how often it was. */
  async send(project: string, cost: number, times = 1): Promise<number> {
    let admitted = 0;
    for (let n = 0; n < times; n++) {
      if (!this.lag.admits(project)) continue;
      this.append(project, cost);
      admitted++;
    }
    await this.look();
    return admitted;
  }

  /** Lets time pass, while the reader stores and is observed four times a second. */
  async pass(ms: number, each: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
    for (let passed = 0; passed < ms; passed += 250) {
      this.time += 250;
      if (!this.isDown) this.position = Math.min(this.end, this.position + 250 * PER_MS);
      await this.look();
      await each();
    }
  }

  look(): Promise<void> {
    const at = (offset: number) => new Map([[0, offset]]);
    return this.lag.observe(() => Promise.resolve({ end: at(this.end), position: at(this.position) }));
  }

  /** Milliseconds until something that is appended now is stored. */
  get delayMs(): number {
    return (this.end - this.position) / PER_MS;
  }
}

/** A reader that two projects use, and whose throughput is known. */
async function busyReader(maxLagMs?: number): Promise<Simulation> {
  const simulation = new Simulation(maxLagMs);
  await simulation.look();
  await simulation.send('quiet', 1_000);
  for (let n = 0; n < 10; n++) {
    simulation.append('loud', SECOND);
    await simulation.pass(1_000);
  }
  await simulation.pass(2_000);
  return simulation;
}

interface Case {
  readonly title: string;
  readonly arrange: (simulation: Simulation) => Promise<unknown>;
  readonly loud: boolean;
  readonly quiet?: boolean;
  readonly maxLagMs?: number;
}

const CASES: readonly Case[] = [
  { title: 'everything is stored', arrange: () => Promise.resolve(), loud: true },
  {
    title: 'the reader is behind by less than the limit',
    arrange: (reader) => reader.send('loud', SECOND),
    loud: true,
  },
  {
    title: 'the reader is behind because of the loud project',
    arrange: (reader) => reader.send('loud', 6 * SECOND),
    loud: false,
  },
  {
    title: 'the reader has stored what it was behind',
    arrange: async (reader) => {
      await reader.send('loud', 6 * SECOND);
      await reader.pass(6_500);
    },
    loud: true,
  },
  {
    title: 'the quiet project has less than its share unstored',
    arrange: async (reader) => {
      await reader.send('loud', 6 * SECOND);
      await reader.send('quiet', SECOND / 2);
    },
    loud: false,
  },
  {
    title: 'both have more than their share unstored',
    arrange: async (reader) => {
      await reader.send('loud', 6 * SECOND);
      await reader.send('quiet', 2 * SECOND);
    },
    loud: false,
    quiet: false,
  },
  {
    title: 'the limit is switched off',
    arrange: (reader) => reader.send('loud', 60 * SECOND),
    loud: true,
    maxLagMs: 0,
  },
  {
    title: 'the event store has been unreachable for a while',
    arrange: async (reader) => {
      reader.isDown = true;
      await reader.pass(60_000, () => reader.send('loud', SECOND / 2));
    },
    loud: true,
  },
  {
    title: 'the reader catches up after an outage',
    arrange: async (reader) => {
      reader.isDown = true;
      await reader.pass(60_000, () => reader.send('loud', SECOND / 8));
      reader.isDown = false;
      await reader.pass(20_000, () => reader.send('loud', SECOND / 8));
    },
    loud: true,
  },
  {
    title: 'more is appended than can be stored, although an outage is over',
    arrange: async (reader) => {
      reader.isDown = true;
      await reader.pass(10_000, () => reader.send('loud', SECOND / 8));
      reader.isDown = false;
      await reader.pass(30_000, () => reader.send('loud', SECOND / 2));
    },
    loud: false,
  },
];

describe('StoreLag', () => {
  it.each(CASES)(
    'admits the loud project: $loud, when $title',
    async ({ arrange, loud, quiet = true, maxLagMs }) => {
      const reader = await busyReader(maxLagMs);
      await arrange(reader);
      expect({ loud: reader.lag.admits('loud'), quiet: reader.lag.admits('quiet') }).toEqual({ loud, quiet });
    },
  );

  it('bounds the delay of others, whatever a project sends', async () => {
    const reader = await busyReader();
    let [largest, refused] = [0, 0];
    await reader.pass(60_000, async () => {
      refused += 4 - (await reader.send('loud', SECOND, 4));
      largest = Math.max(largest, reader.delayMs);
    });
    expect(refused).toBeGreaterThan(100);
    expect(largest).toBeLessThan(MAX_LAG_MS + 2_000);
  });

  it('lets the loud project use the whole throughput of the reader', async () => {
    const reader = await busyReader();
    let admitted = 0;
    await reader.pass(60_000, async () => void (admitted += await reader.send('loud', SECOND / 4, 4)));
    expect(admitted).toBeGreaterThan(4 * 57);
  });

  it('never refuses the only project', async () => {
    const reader = new Simulation();
    await reader.look();
    let admitted = 0;
    await reader.pass(30_000, async () => void (admitted += await reader.send('only', SECOND)));
    expect(admitted).toBe(120);
  });

  it('delays the only project while the reader is behind, but not during an outage or while catching up', async () => {
    const reader = new Simulation();
    await reader.look();
    for (let n = 0; n < 10; n++) {
      await reader.send('only', SECOND);
      await reader.pass(1_000);
    }
    expect(reader.lag.delays('only')).toBe(false);
    await reader.send('only', 6 * SECOND);
    expect(reader.lag.delays('only')).toBe(true);
    await reader.pass(6_500);
    expect(reader.lag.delays('only')).toBe(false);
    reader.isDown = true;
    await reader.pass(60_000, () => reader.send('only', SECOND / 8));
    expect(reader.lag.delays('only')).toBe(false);
    reader.isDown = false;
    await reader.pass(5_000, () => reader.send('only', SECOND / 8));
    expect(reader.lag.delays('only')).toBe(false);
  });

  it('bounds what the only project has unstored while its requests wait', async () => {
    const reader = new Simulation();
    await reader.look();
    let largest = 0;
    await reader.pass(60_000, async () => {
      if (!reader.lag.delays('only')) await reader.send('only', SECOND);
      largest = Math.max(largest, reader.delayMs);
    });
    expect(largest).toBeLessThan(MAX_LAG_MS + 2_000);
  });

  it('admits all projects while a backlog from before the start is stored', async () => {
    const reader = new Simulation(MAX_LAG_MS, 60 * SECOND);
    await reader.look();
    let admitted = 0;
    await reader.send('quiet', 1_000);
    await reader.pass(50_000, async () => void (admitted += await reader.send('loud', SECOND / 8)));
    expect(admitted).toBe(200);
  });

  it('learns the throughput of a reader that is slower than expected', async () => {
    const reader = await busyReader();
    await reader.send('quiet', 1_000);
    reader.append('loud', 20 * SECOND);
    await reader.pass(20_500);
    expect(reader.lag.lagMs()).toBe(0);
    reader.append('loud', SECOND);
    expect(reader.lag.lagMs()).toBeGreaterThan(900);
    expect(reader.lag.lagMs()).toBeLessThan(1_200);
  });

  it('accounts for an interval whose observation failed in the next one', async () => {
    const reader = await busyReader();
    reader.append('loud', SECOND);
    await expect(reader.lag.observe(() => Promise.reject(new Error('unreachable')))).rejects.toThrow();
    await reader.pass(2_000);
    expect(reader.lag.hasUnstored()).toBe(false);
  });
});
