import type { listRunSummaries, ResponseOf } from '@assay/contracts';
import { canonicalUuid, runOverview, withTotals, type Event, type SessionMeasures } from '@assay/domain';
import type { QueryOptions } from '@assay/event-store';
import type { Operation } from '@assay/http';
import { respondWhenCurrent } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { loadExistingRuns, readRunSessions } from './load-runs.js';
import { readEvaluations, type EvaluatedRun } from './read-evaluated-runs.js';

type Summary = ResponseOf<typeof listRunSummaries>['summaries'][number];

/** Sessions whose duration, errors and usage one request reads: usage is counted over the tree of each. */
const MAX_MEASURED_SESSIONS = 10_000;

/** Summarises runs for a list, with the numbers of their results and of their sessions. */
export function makeListRunSummaries(deps: DataPlaneDeps): Operation<typeof listRunSummaries> {
  return ({ body }, { caller: { projectId }, waitMs, signal, yieldToEventLoop }) => {
    const runIds = [...new Set(body.run_ids.map(canonicalUuid))];
    return respondWhenCurrent(
      deps,
      waitMs,
      () => loadExistingRuns(deps, projectId, runIds),
      async (loaded) => {
        const runs = await readRunSessions(deps, loaded, { filters: [] }, { signal });
        const measures = await readMeasures(deps, projectId, runs, { signal });
        const sessions = runs.flatMap((run) => run.sessions);
        const evaluations = await readEvaluations(deps, loaded, sessions, { signal });
        const summaries: Summary[] = [];
        for (const run of runs) {
          summaries.push(toSummary({ ...run, evaluations }, measures));
          await yieldToEventLoop();
        }
        return { summaries };
      },
    );
  };
}

function toSummary(found: EvaluatedRun, measures?: ReadonlyMap<string, SessionMeasures>): Summary {
  const { measures: totals, ...overview } = runOverview(found, measures);
  const unknown = { errors: null, duration_p50: null, duration_p95: null, tokens: null, cost: null };
  return {
    run_id: found.run.run_id,
    ...overview,
    ...(totals ?? { ...unknown, unpriced_models: [] }),
  };
}

/** Returns what each session took, as the API shows it; undefined when there are too many sessions. */
async function readMeasures(
  { store }: DataPlaneDeps,
  projectId: string,
  runs: readonly Pick<EvaluatedRun, 'sessions'>[],
  options: QueryOptions,
): Promise<ReadonlyMap<string, SessionMeasures> | undefined> {
  const ids = [...new Set(runs.flatMap(({ sessions }) => sessions.map(({ sessionId }) => sessionId)))];
  if (ids.length > MAX_MEASURED_SESSIONS) return undefined;
  const events = await store.sessions.rows(projectId, ids, options);
  const totals = await store.sessions.rollups(projectId, ids, options);
  const byId = new Map(events.map((event) => [event.session_id, event]));
  return new Map(
    ids.map((id) => {
      const sums = totals.get(id);
      const session = byId.get(id);
      const {
        duration,
        tokens = 0,
        ...known
      } = session
        ? ofSession(withTotals(session, sums))
        : { duration: undefined, tokens: sums?.totalTokens, cost: sums ? sums.cost : 0 };
      const hasErrors = (sums?.numErrors ?? 0) > 0 || (session?.error ?? null) !== null;
      const unpricedModels = known.cost === null ? (sums?.unpricedModels ?? []) : [];
      return [
        id,
        { ...(duration !== undefined && { duration }), ...known, tokens, unpricedModels, hasErrors },
      ];
    }),
  );
}

function ofSession({ start_time, end_time, duration, metadata }: Event) {
  return {
    duration: duration ?? (end_time === null ? undefined : end_time - start_time),
    tokens: finiteNumber(metadata['total_tokens']),
    // A session without events has cost nothing; one that a client gave a cost that is no number has cost an unknown amount.
    cost: metadata['cost'] === undefined ? 0 : (finiteNumber(metadata['cost']) ?? null),
  };
}

function finiteNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
