import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptEvent } from '@assay/domain';
import { encodeEventRow } from '@assay/event-rows';
import { openSyntheticStore } from '@assay/event-store/test/synthetic-store';

const PROJECT = 'bench';
const KNOWN = 2_000;
const ROUNDS = 9;

/** Milliseconds of CPU of one look-up, the median of {@link ROUNDS}, with what merges at the time. */
export interface GrowthFigures {
  /** Rows of the project. */
  readonly rows: number;
  readonly oneEvent: number;
  readonly tenStates: number;
  readonly thousandStates: number;
  readonly thousandNewIds: number;
}

/**
 * Look-ups by ids in a project of so many events, each size beside the same 2,000 whole events of one hour. The others are synthetic rows
 * over twenty days.
 */
export async function* measureGrowth(sizes: readonly number[]): AsyncGenerator<GrowthFigures> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-growth-'));
  const firstStart = Date.now() - 20 * 86_400_000;
  const { store, fill } = await openSyntheticStore(dir, firstStart);
  try {
    const known = Array.from({ length: KNOWN }, (_, index) => anEvent(firstStart + index * 1_000));
    const rows = known.map((event, version) => ({ bytes: Buffer.from(encodeEventRow(event)), version }));
    await store.writer.write({ rows, tombstones: [], changes: [], token: randomUUID() });
    const some = (count: number, round: number) =>
      Array.from({ length: count }, (_, index) => ({
        projectId: PROJECT,
        eventId: known[(round * count + index) % KNOWN]!.event_id,
      }));
    for (const size of sizes) {
      await fill(PROJECT, size);
      yield {
        rows: size,
        oneEvent: await median((round) => store.events.find(PROJECT, some(1, round)[0]!.eventId)),
        tenStates: await median((round) => store.states.read(some(10, round))),
        thousandStates: await median((round) => store.states.read(some(1_000, round))),
        thousandNewIds: await median(() =>
          store.states.sizes(some(1_000, 0).map((key) => ({ ...key, eventId: randomUUID() }))),
        ),
      };
    }
  } finally {
    await store.administration.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function median(work: (round: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    await work(round);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
  }
  return times.sort((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? NaN;
}

function anEvent(start_time: number) {
  const input = {
    event_type: 'model' as const,
    start_time,
    inputs: { question: 'why' },
    outputs: { answer: 'because' },
  };
  return acceptEvent(input, { projectId: PROJECT, now: start_time, newId: randomUUID }).event;
}
