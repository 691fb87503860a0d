import { NO_STEP, type DeletedValues, type PurgeLimits, type PurgeStep } from '../../deleted-values.js';
import type { SqlEngine } from '../engine/engine.js';
import type { Topology } from '../schema/topology.js';
import { readDeletedParts } from './deleted-parts.js';
import { emptyChanges } from './empty-changes.js';
import { MAX_PARTS, partsBeside, readRewrites, rewriteOf } from './rewrite-parts.js';
import { SLICE_BOUNDS } from './slices.js';
import { readUnusedMedia, removeMediaStatement } from './unused-media.js';

/** Sums what deleted events have left in all tables. */
export async function readDeletedValues(
  engine: SqlEngine,
  topology: Topology,
  unusedSeconds: number,
): Promise<DeletedValues> {
  const parts = await readDeletedParts(engine, topology);
  const media = await readUnusedMedia(engine, topology, { storedBefore: Infinity, unusedSeconds });
  const { startedAt } = await readRewrites(engine, topology);
  const times = parts.flatMap(({ oldestKnown }) => oldestKnown ?? []);
  return {
    rows: sum(parts, ({ rows }) => rows) + sum(media, ({ rows }) => rows),
    bytes: sum(parts, ({ deletedBytes }) => deletedBytes) + sum(media, ({ unusedBytes }) => unusedBytes),
    ...(times.length > 0 && { oldest: times.reduce((one, other) => Math.min(one, other)) }),
    ...(startedAt > 0 && { rewrittenAt: startedAt }),
  };
}

/**
 * Starts to rewrite the parts with the most bytes of deleted values. Parts of one statement are rewritten at the same time, and each
 * narrow one builds its index in memory: they have `maxStatementBytes` on disk together, or one part has more.
 */
export async function purgeDeletedStep(
  engine: SqlEngine,
  topology: Topology,
  limits: PurgeLimits & StatementLimit,
  bounds = SLICE_BOUNDS,
): Promise<PurgeStep> {
  const { deletedBefore, maxBytes, allowsLargerPart, maxStatementBytes } = limits;
  const { isRunning, isFailing } = await readRewrites(engine, topology);
  if (isRunning) return { state: 'running', ...NO_STEP, isFailing };
  if (maxBytes <= 0) return { state: 'idle', ...NO_STEP };
  await emptyChanges(engine, topology, { deletedBefore, bounds });
  const due = (await readDeletedParts(engine, topology, bounds)).filter(
    ({ oldest }) => oldest <= deletedBefore,
  );
  const [first] = allowsLargerPart ? due : due.filter(({ bytes }) => bytes <= maxBytes);
  if (first === undefined) return removeUnusedMedia(engine, topology, limits);
  const ofTable = due.filter(({ table }) => table === first.table);
  const chosen = partsBeside(first, ofTable, Math.min(maxBytes, maxStatementBytes));
  const { sql, rows, bytes } = rewriteOf(chosen, topology, bounds);
  await engine.command(sql);
  return { state: 'started', rows, bytes };
}

export interface StatementLimit {
  /** Bytes on disk of the parts that are rewritten at the same time. */
  readonly maxStatementBytes: number;
  /** See {@link readUnusedMedia}. */
  readonly unusedSeconds: number;
}

/** The step when nothing else is left: media whose events have been deleted, or whose rows were never written. */
async function removeUnusedMedia(
  engine: SqlEngine,
  topology: Topology,
  {
    deletedBefore,
    maxBytes,
    allowsLargerPart,
    maxStatementBytes,
    unusedSeconds,
  }: PurgeLimits & StatementLimit,
): Promise<PurgeStep> {
  const parts = await readUnusedMedia(engine, topology, { storedBefore: deletedBefore, unusedSeconds });
  const [first] = allowsLargerPart ? parts : parts.filter(({ bytes }) => bytes <= maxBytes);
  if (first === undefined) return { state: 'idle', ...NO_STEP };
  let free = Math.min(maxBytes, maxStatementBytes) - first.bytes;
  let names = first.keys.length;
  const chosen = [first];
  for (const part of parts) {
    if (part === first || part.bytes > free || names + part.keys.length > MAX_PARTS) continue;
    free -= part.bytes;
    names += part.keys.length;
    chosen.push(part);
  }
  await engine.command(removeMediaStatement(chosen, topology));
  return {
    state: 'started',
    rows: sum(chosen, ({ keys }) => keys.length),
    bytes: sum(chosen, ({ bytes }) => bytes),
  };
}

function sum<Part>(parts: readonly Part[], amount: (part: Part) => number): number {
  return parts.reduce((total, part) => total + amount(part), 0);
}
