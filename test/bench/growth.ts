import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptEvent } from '@assay/domain';
import { encodeEventRow } from '@assay/event-rows';
import { openSyntheticStore } from '@assay/event-store/test/synthetic-store';
import { seeded } from './prose.js';

const PROJECT = 'bench';
const KNOWN = 4_000;
const PER_SESSION = 2;
const SEED = 7;
const MAX_EVENTS = 100;
const ROUNDS = 9;

/** Milliseconds of CPU of one look-up, the median of {@link ROUNDS}, with what merges at the time. */
export interface GrowthFigures {
  /** Rows of the project. */
  readonly rows: number;
  readonly oneEvent: number;
  readonly tenStates: number;
  readonly thousandStates: number;
  readonly thousandNewIds: number;
  readonly oneSession: number;
  /** Summaries, as for the control plane. */
  readonly thousandSessions: number;
}

/**
 * Look-ups by ids in a project of so many events, each size beside the same 4,000 whole events of two neighbouring hours, two of each session.
 * The others are synthetic rows over twenty days.
 */
export async function* measureGrowth(sizes: readonly number[]): AsyncGenerator<GrowthFigures> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-growth-'));
  const firstStart = Date.now() - 20 * 86_400_000;
  const { store, fill } = await openSyntheticStore(dir, firstStart);
  try {
    const sessions = Array.from({ length: KNOWN / PER_SESSION }, () => randomUUID());
    const known = Array.from({ length: KNOWN }, (_, index) =>
      anEvent(sessions[Math.floor(index / PER_SESSION)]!, firstStart + index * 1_000),
    );
    const rows = known.map((event, version) => ({ bytes: Buffer.from(encodeEventRow(event)), version }));
    await store.writer.write({ rows, tombstones: [], changes: [], token: randomUUID() });
    // Others each time: the engine remembers which blocks have none of the same ids.
    const random = seeded(SEED);
    const some = (count: number) =>
      inRandomOrder(known, random)
        .slice(0, count)
        .map(({ event_id: eventId }) => ({ projectId: PROJECT, eventId }));
    const someSessions = (count: number) =>
      inRandomOrder(sessions, random)
        .slice(0, count)
        .map((eventId) => ({ projectId: PROJECT, eventId }));
    for (const size of sizes) {
      await fill(PROJECT, size);
      yield {
        rows: size,
        oneEvent: await median(() => store.events.find(PROJECT, some(1)[0]!.eventId)),
        tenStates: await median(() => store.states.read(some(10))),
        thousandStates: await median(() => store.states.read(some(1_000))),
        thousandNewIds: await median(() =>
          store.states.sizes(some(1_000).map((key) => ({ ...key, eventId: randomUUID() }))),
        ),
        oneSession: await median(() => store.sessions.read(PROJECT, someSessions(1)[0]!.eventId, MAX_EVENTS)),
        thousandSessions: await median(() => store.sessions.summaries(someSessions(1_000))),
      };
    }
  } finally {
    await store.administration.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
  }
  return times.sort((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? NaN;
}

function inRandomOrder<T>(items: readonly T[], random: () => number): T[] {
  const keyed = items.map((item) => ({ item, at: random() }));
  return keyed.sort((one, other) => one.at - other.at).map(({ item }) => item);
}

function anEvent(session_id: string, start_time: number) {
  const input = {
    session_id,
    event_type: 'model' as const,
    start_time,
    inputs: { question: 'why' },
    outputs: { answer: 'because' },
  };
  return acceptEvent(input, { projectId: PROJECT, now: start_time, newId: randomUUID }).event;
}
