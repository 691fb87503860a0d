import type {
  compareRunDatapoints,
  CompareRunDatapointsRequest,
  compareRunResults,
  gateRun,
  getRunResult,
  ResponseOf,
} from '@assay/contracts';
import { call } from './call.js';

export type RunResult = ResponseOf<typeof getRunResult>;
export type Comparison = ResponseOf<typeof compareRunResults>;
export type ComparedMetric = Comparison['metrics'][number];
export type DatapointPage = ResponseOf<typeof compareRunDatapoints>;
export type DatapointRow = DatapointPage['rows'][number];
export type GateResult = ResponseOf<typeof gateRun>;

/** Two runs of one project. */
export interface RunPair {
  readonly project: string;
  readonly newRun: string;
  readonly oldRun: string;
}

const id = encodeURIComponent;

export const resultOfRun = (project: string, run: string, aggregate: string, signal?: AbortSignal) =>
  call<RunResult>({
    ...{ method: 'GET', path: `/v1/runs/${id(run)}/result`, project, signal },
    query: { aggregate_function: aggregate },
  });

export const compareRuns = ({ project, newRun, oldRun }: RunPair, aggregate: string, signal?: AbortSignal) =>
  call<Comparison>({
    ...{ method: 'GET', path: `/v1/runs/${id(newRun)}/compare/${id(oldRun)}`, project, signal },
    query: { aggregate_function: aggregate },
  });

export const compareDatapoints = (
  { project, newRun, oldRun }: RunPair,
  body: CompareRunDatapointsRequest,
  signal?: AbortSignal,
) =>
  call<DatapointPage>({
    ...{
      method: 'POST',
      path: `/v1/runs/${id(newRun)}/compare/${id(oldRun)}/datapoints`,
      project,
      signal,
      body,
    },
  });

export const gateOfRuns = ({ project, newRun, oldRun }: RunPair, signal?: AbortSignal) =>
  call<GateResult>({
    ...{ method: 'POST', path: `/v1/runs/${id(newRun)}/gate`, project, signal },
    body: { against: oldRun },
  });
