import type { getRun, listRuns, listRunSummaries, ResponseOf } from '@assay/contracts';
import { call } from './call.js';

export type RunPage = ResponseOf<typeof listRuns>;
export type Run = RunPage['evaluations'][number];
export type RunSummary = ResponseOf<typeof listRunSummaries>['summaries'][number];

export const pageOfRuns = (
  project: string,
  query: {
    readonly page: number;
    readonly limit: number;
    readonly name?: string;
    readonly dataset_id?: string;
  },
  signal?: AbortSignal,
) => call<RunPage>({ method: 'GET', path: '/v1/runs', project, query, signal });

export const summariesOfRuns = (project: string, runIds: readonly string[], signal?: AbortSignal) =>
  call<ResponseOf<typeof listRunSummaries>>({
    ...{ method: 'POST', path: '/v1/runs/summaries', project, signal },
    body: { run_ids: runIds },
  });

export const readRun = (project: string, runId: string, signal?: AbortSignal) =>
  call<ResponseOf<typeof getRun>>({
    ...{ method: 'GET', path: `/v1/runs/${encodeURIComponent(runId)}`, project, signal },
  });
