import { countUsage, listUnpriced, type Usage } from '@assay/domain';
import type { SessionRollup } from '../../../event-store.js';
import type { QueryRunner } from '../../engine/engine.js';
import { chunks } from '../rows/chunks.js';
import { rollupQuery, type ReportRow, type RollupRow } from './rollup-query.js';
import type { TableNames } from '../../schema/topology.js';

/** Sessions of one statement, and how many events of each it lists, so that its result is bounded. */
interface Round {
  readonly sessions: number;
  readonly events: number;
}

/**
 * Most sessions are complete after the first round, the rest is read again with more of their events. Few sessions start
 * with the second one. A statement costs about as much as 100 sessions.
 */
const ROUNDS: readonly [many: Round, few: Round] = [
  { sessions: 1_000, events: 60 },
  { sessions: 200, events: 300 },
];
/**
 * Events of a session among which is looked for what repeats what. Beyond it the calls are added up as they
 * are.
 */
const MAX_EVENTS = 20_000;
/** Only one session: none of its events are left for a further round. */
const SINGLE: Round = { sessions: 1, events: MAX_EVENTS };

/** Roll-ups by session id; a session without events is absent. */
export async function readRollups(
  engine: QueryRunner,
  tables: TableNames,
  projectId: string,
  sessionIds: readonly string[],
): Promise<Map<string, SessionRollup>> {
  const rollups = new Map<string, SessionRollup>();
  const [many, few] = ROUNDS;
  let left = sessionIds;
  let incomplete: readonly RollupRow[] = [];
  const rounds = left.length > few.sessions ? [many, few] : [left.length === 1 ? SINGLE : few];
  for (const round of rounds) {
    const rows = await readRound(engine, tables, { projectId, sessionIds: left, round });
    const isWhole = (row: RollupRow) =>
      row.num_incomplete === 0 && (row.num_events <= round.events || round === SINGLE);
    for (const row of rows.filter(isWhole)) rollups.set(row.session, rollupOf(row));
    incomplete = rows.filter((row) => !isWhole(row));
    left = incomplete.map(({ session }) => session);
  }
  for (const part of wholeParts(incomplete))
    for (const whole of await readWhole(engine, tables, projectId, part))
      rollups.set(whole.session, rollupOf(whole));
  return rollups;
}

async function readRound(
  engine: QueryRunner,
  tables: TableNames,
  {
    projectId,
    sessionIds,
    round,
  }: { readonly projectId: string; readonly sessionIds: readonly string[]; readonly round: Round },
): Promise<readonly RollupRow[]> {
  const rows: RollupRow[] = [];
  for (const ids of chunks(sessionIds, round.sessions)) {
    const scope = { projectId, sessionIds: ids, maxEvents: round.events, from: 'index' } as const;
    rows.push(...(await engine.query<RollupRow>(rollupQuery(tables, scope))));
  }
  return rows;
}

/** Sessions that are read whole in one statement, either from the index or from the stored text. */
interface WholePart {
  readonly sessionIds: readonly string[];
  readonly from: 'index' | 'text';
}

/** Sessions with few events share a statement, which lists as many events as one of a large session. */
function wholeParts(rows: readonly RollupRow[]): WholePart[] {
  return (['index', 'text'] as const).flatMap((from) => {
    const parts: RollupRow[][] = [];
    let events = Infinity;
    for (const row of rows.filter(({ num_incomplete: count }) => (count === 0) === (from === 'index'))) {
      const last = parts.at(-1);
      const isFull = last === undefined || last.length === ROUNDS[1].sessions;
      if (isFull || events + row.num_events > MAX_EVENTS) {
        parts.push([row]);
        events = row.num_events;
      } else {
        last.push(row);
        events += row.num_events;
      }
    }
    return parts.map((part) => ({ sessionIds: part.map(({ session }) => session), from }));
  });
}

/** The same sessions with more of their events; those that have lost them since are absent. */
function readWhole(
  engine: QueryRunner,
  tables: TableNames,
  projectId: string,
  part: WholePart,
): Promise<readonly RollupRow[]> {
  return engine.query<RollupRow>(rollupQuery(tables, { projectId, maxEvents: MAX_EVENTS, ...part }));
}

function rollupOf(row: RollupRow): SessionRollup {
  return {
    numEvents: row.num_events,
    numModelEvents: row.num_model_events,
    numErrors: row.num_errors,
    hasFeedback: row.has_feedback === 1,
    ...usageOf(row),
    firstStart: row.first_start ?? undefined,
    lastEnd: row.last_end ?? undefined,
  };
}

function usageOf(row: RollupRow): Usage {
  const { num_events: events, calls, unpriced_models } = row;
  if (events <= MAX_EVENTS) {
    const rows = inFixedOrder(row);
    return countUsage(new Map(rows.parents), rows.reports.map(readReport));
  }
  const [sum, promptTokens, completionTokens, totalTokens] = calls;
  const unpricedModels = listUnpriced(unpriced_models);
  const cost = unpricedModels.length === 0 ? sum : null;
  return { promptTokens, completionTokens, totalTokens, cost, unpricedModels };
}

/**
 * The engine lists rows in any order. It matters for an event with two rows, which it has while its sort key changes: the last parent of an
 * event counts.
 */
function inFixedOrder({ parents, reports }: RollupRow): Pick<RollupRow, 'parents' | 'reports'> {
  if (new Set(parents.map(([id]) => id)).size === parents.length) return { parents, reports };
  return { parents: parents.toSorted(compareLists), reports: reports.toSorted(compareLists) };
}

/** Order of lists of the same length, by the first of their values that differ. */
function compareLists(one: readonly (number | string)[], other: readonly (number | string)[]): number {
  const index = one.findIndex((value, at) => value !== other[at]);
  if (index === -1) return 0;
  return one[index]! < other[index]! ? -1 : 1;
}

function readReport(row: ReportRow) {
  const [id, trace, isSum, response, counts, cost, promptTokens, completionTokens, totalTokens, ...more] =
    row;
  const [estimated, unpricedModel] = more;
  return {
    id,
    trace,
    isSum: isSum === 1,
    response,
    counts,
    cost,
    promptTokens,
    completionTokens,
    totalTokens,
    isCostEstimated: estimated === 1,
    unpricedModel,
  };
}
