import type { ListRunsQuery, listRuns, ResponseOf, RunResponse } from '@assay/contracts';
import type { RunLinksPage } from '@assay/control-plane-client';
import { acceptDateRange, hasScoreType, isExplanation } from '@assay/domain';
import { AppError } from '@assay/errors';
import type { RunScore } from '@assay/event-store';
import { streamJson, type Operation } from '@assay/http';
import { respondAfterWait } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';

/** Runs that are read from the control plane at a time: each may have 4 MB. */
const RUNS_PER_READ = 10;
const WITHOUT_SCORES = 'the scores of the runs could not be read: the metrics are empty';

/**
 * Lists a page of runs, each with the averages of its scores, which are read in one statement. A list without scores,
 * with a warning, is the response when the event store cannot be read: the runs themselves are elsewhere.
 */
export function makeListRuns(deps: DataPlaneDeps): Operation<typeof listRuns> {
  return async ({ query }: { query: ListRunsQuery }, { caller: { projectId }, waitMs, signal }) => {
    acceptDateRange(query.dateRange, deps.now());
    return respondAfterWait(deps, waitMs, async () => {
      const { links, pagination } = await deps.controlPlane.runLinks({ projectId, ...query });
      const stored = await readScores(deps, projectId, links, signal);
      const scores = stored && (await countedScores(deps, projectId, stored));
      const metrics = [...new Set(scores?.map(({ name }) => name))].sort();
      const evaluations = readRuns(deps, { projectId, links, scores: scores ?? [] });
      const warning = scores === undefined ? { warning: WITHOUT_SCORES } : {};
      return streamJson<ResponseOf<typeof listRuns>>({ evaluations, metrics, pagination, ...warning });
    });
  };
}

async function readScores(
  { store }: Pick<DataPlaneDeps, 'store'>,
  projectId: string,
  runs: RunLinksPage['links'],
  signal: AbortSignal,
): Promise<readonly RunScore[] | undefined> {
  if (runs.length === 0) return [];
  try {
    return await store.aggregates.runScores(projectId, { runs }, { signal });
  } catch (error) {
    if (signal.aborted || !(error instanceof AppError)) throw error;
    return undefined;
  }
}

/**
 * Returns the averages of the scores that count for their metrics, without explanations: for those of people, only scores of the type of the
 * metric.
 */
async function countedScores(
  { controlPlane }: Pick<DataPlaneDeps, 'controlPlane'>,
  projectId: string,
  stored: readonly RunScore[],
): Promise<readonly Averaged[]> {
  if (stored.length === 0) return [];
  const { metrics } = await controlPlane.runs({ projectId, runIds: [] });
  const rules = new Map(metrics.map((rule) => [rule.name, rule]));
  return stored.flatMap((score) => {
    const { runId, name, numbers, booleans } = score;
    if (isExplanation(name, rules)) return [];
    const rule = rules.get(name);
    const [withNumbers, withBooleans] = [hasScoreType(0, rule), hasScoreType(false, rule)];
    const { average, scores } =
      withNumbers && withBooleans ? score : withNumbers ? numbers : withBooleans ? booleans : NONE;
    return scores === 0 ? [] : [{ runId, name, average }];
  });
}

type Averaged = Pick<RunScore, 'runId' | 'name' | 'average'>;
const NONE = { average: 0, scores: 0 };

interface ListedRuns {
  readonly projectId: string;
  readonly links: RunLinksPage['links'];
  readonly scores: readonly Averaged[];
}

/** Reads the runs while they are sent. A run that was deleted meanwhile is left out. */
async function* readRuns(
  { controlPlane }: Pick<DataPlaneDeps, 'controlPlane'>,
  { projectId, links, scores }: ListedRuns,
): AsyncGenerator<RunResponse[]> {
  const byRun = new Map<string, [name: string, average: number][]>(links.map(({ runId }) => [runId, []]));
  for (const { runId, name, average } of scores) byRun.get(runId)?.push([name, average]);
  for (let start = 0; start < links.length; start += RUNS_PER_READ) {
    const runIds = links.slice(start, start + RUNS_PER_READ).map(({ runId }) => runId);
    const { runs } = await controlPlane.runs({ projectId, runIds, withoutRules: true });
    yield runs.map((run) => ({ ...run, metrics: Object.fromEntries(byRun.get(run.run_id) ?? []) }));
  }
}
