import { NO_STEP, type DeletedValues, type PurgeLimits, type PurgeStep } from '../../deleted-values.js';
import type { SqlEngine } from '../engine/engine.js';
import { tableNames, type Topology } from '../schema/topology.js';
import { readDeletedParts, type DeletedPart } from './deleted-parts.js';
import { emptyChanges } from './empty-changes.js';
import { readRewrites, rewriteStatement } from './rewrite-parts.js';

/** Sums what deleted events have left in all tables. */
export async function readDeletedValues(engine: SqlEngine, topology: Topology): Promise<DeletedValues> {
  const parts = await readDeletedParts(engine, topology);
  const { startedAt } = await readRewrites(engine, topology);
  const times = parts.flatMap(({ oldestKnown }) => oldestKnown ?? []);
  return {
    rows: sum(parts, ({ rows }) => rows),
    bytes: sum(parts, ({ deletedBytes }) => deletedBytes),
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
  { deletedBefore, maxBytes, allowsLargerPart, maxStatementBytes }: PurgeLimits & StatementLimit,
): Promise<PurgeStep> {
  const { isRunning, isFailing } = await readRewrites(engine, topology);
  if (isRunning) return { state: 'running', ...NO_STEP, isFailing };
  if (maxBytes <= 0) return { state: 'idle', ...NO_STEP };
  await emptyChanges(engine, tableNames(topology), deletedBefore);
  const due = (await readDeletedParts(engine, topology)).filter(({ oldest }) => oldest <= deletedBefore);
  const [first] = allowsLargerPart ? due : due.filter(({ bytes }) => bytes <= maxBytes);
  if (first === undefined) return { state: 'idle', ...NO_STEP };
  const chosen = partsBeside(first, due, Math.min(maxBytes, maxStatementBytes));
  await engine.command(rewriteStatement(chosen, topology));
  return {
    state: 'started',
    rows: sum(chosen, ({ rows }) => rows),
    bytes: sum(chosen, ({ bytes }) => bytes),
  };
}

export interface StatementLimit {
  /** Bytes on disk of the parts that are rewritten at the same time. */
  readonly maxStatementBytes: number;
}

/** Names of a statement; each is about 20 characters, and a coordination service bounds the length of the whole. */
const MAX_PARTS = 1_000;

/** The first part, and others of its partition of the table that fit beside it. */
function partsBeside(
  first: DeletedPart,
  parts: readonly DeletedPart[],
  maxBytes: number,
): [DeletedPart, ...DeletedPart[]] {
  let free = maxBytes - first.bytes;
  const chosen: [DeletedPart, ...DeletedPart[]] = [first];
  for (const part of parts) {
    const fits = part.bytes <= free && chosen.length < MAX_PARTS;
    if (part === first || part.table !== first.table || part.partition !== first.partition || !fits) continue;
    free -= part.bytes;
    chosen.push(part);
  }
  return chosen;
}

function sum(parts: readonly DeletedPart[], amount: (part: DeletedPart) => number): number {
  return parts.reduce((total, part) => total + amount(part), 0);
}
