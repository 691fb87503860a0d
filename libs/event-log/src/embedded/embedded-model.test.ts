import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@assay/testing';
import * as fc from 'fast-check';
import type { EventLog, ConsumedRecord } from '../event-log.js';
import { openEmbeddedEventLog } from './embedded-event-log.js';

const RUNS = 60;

type Action =
  | { readonly kind: 'append'; readonly count: number; readonly bytes: number }
  | { readonly kind: 'append concurrently'; readonly calls: number }
  | { readonly kind: 'read'; readonly batches: number; readonly maxRecords: number }
  | { readonly kind: 'interrupt'; readonly inHandler: boolean; readonly inAppend: boolean }
  | { readonly kind: 'restart' };

const actions: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('append' as const),
      count: fc.integer({ min: 1, max: 40 }),
      bytes: fc.integer({ min: 0, max: 20_000 }),
    }),
    fc.record({ kind: fc.constant('append concurrently' as const), calls: fc.integer({ min: 2, max: 20 }) }),
    fc.record({
      kind: fc.constant('read' as const),
      batches: fc.integer({ min: 1, max: 4 }),
      maxRecords: fc.integer({ min: 1, max: 50 }),
    }),
    fc.record({ kind: fc.constant('interrupt' as const), inHandler: fc.boolean(), inAppend: fc.boolean() }),
    fc.record({ kind: fc.constant('restart' as const) }),
  ),
  { minLength: 1, maxLength: 25 },
);

/** The log and its expected content: the keys in order, and the confirmed position of the group. */
class Checked {
  private log!: EventLog;
  private readonly keys: string[] = [];
  private committed = 0;
  private nextKey = 0;

  constructor(private readonly dir: string) {}

  async open(): Promise<void> {
    this.log = await openEmbeddedEventLog({ dir: this.dir, logger: silentLogger });
    expect((await this.log.end()).get(0)).toBe(this.keys.length);
    expect((await this.log.position('g')).get(0)).toBe(this.committed);
  }

  async run(action: Action): Promise<void> {
    if (action.kind === 'append') await this.append(action.count, action.bytes);
    if (action.kind === 'append concurrently')
      await Promise.all(Array.from({ length: action.calls }, () => this.append(2, 10)));
    if (action.kind === 'read') await this.read(action.batches, action.maxRecords);
    if (action.kind === 'interrupt') await this.interrupt(action.inHandler, action.inAppend);
    if (action.kind === 'restart') await this.restart();
  }

  /** Every record is present, in order. */
  async finish(): Promise<void> {
    const seen = await this.collect('all', this.keys.length, 1000);
    expect(seen.map(({ key }) => key)).toEqual(this.keys);
    expect(seen.every(({ offset }, index) => offset === index)).toBe(true);
    await this.log.close();
  }

  private async append(count: number, bytes: number): Promise<void> {
    const keys = Array.from({ length: count }, () => String(this.nextKey++));
    this.keys.push(...keys);
    await this.log.append(
      keys.map((key) => ({ key, value: Buffer.alloc(bytes, Number(key)), headers: { key } })),
    );
  }

  private async read(batches: number, maxRecords: number): Promise<void> {
    const wanted = Math.min(batches * maxRecords, this.keys.length - this.committed);
    const seen = await this.collect('g', wanted, maxRecords);
    expect(seen.map(({ key }) => key)).toEqual(this.keys.slice(this.committed, this.committed + seen.length));
    this.committed += seen.length;
    expect((await this.log.position('g')).get(0)).toBe(this.committed);
  }

  /**
   * Closes during a batch, which then counts as not read, and during an append. The contract suite covers
   * killed processes.
   */
  private async interrupt(inHandler: boolean, inAppend: boolean): Promise<void> {
    if (inHandler && this.committed < this.keys.length) {
      let entered = (): void => undefined;
      const handling = new Promise<void>((resolve) => (entered = resolve));
      const onBatch = () => {
        entered();
        return Promise.reject(new Error('interrupted'));
      };
      await this.log.read({ group: 'g', maxRecords: 10, maxBytes: 1_000_000, lingerMs: 0, onBatch });
      await handling;
    }
    const underWay = inAppend ? this.append(3, 100) : Promise.resolve();
    await this.log.close();
    await underWay;
    await this.open();
  }

  private async restart(): Promise<void> {
    await this.log.close();
    await this.open();
  }

  private async collect(group: string, wanted: number, maxRecords: number): Promise<ConsumedRecord[]> {
    const seen: ConsumedRecord[] = [];
    let enough = (): void => undefined;
    const done = new Promise<void>((resolve) => (enough = resolve));
    if (wanted === 0) return seen;
    const onBatch = (batch: readonly ConsumedRecord[]) => {
      seen.push(...batch);
      if (seen.length >= wanted) enough();
      return Promise.resolve();
    };
    const reading = await this.log.read({ group, maxRecords, maxBytes: 1_000_000, lingerMs: 0, onBatch });
    await done;
    await reading.stop();
    return seen;
  }
}

describe('the embedded log against a model', () => {
  it(`holds what was appended, in order, through reads, interruptions and restarts (${RUNS} histories; a failure prints its seed)`, async () => {
    await fc.assert(
      fc.asyncProperty(actions, async (history) => {
        const dir = await mkdtemp(join(tmpdir(), 'assay-model-'));
        const checked = new Checked(dir);
        await checked.open();
        for (const action of history) await checked.run(action);
        await checked.finish();
        await rm(dir, { recursive: true, force: true });
      }),
      { numRuns: RUNS },
    );
  });
});
