import type {
  ChartResponse,
  createChart,
  CreateChartRequest,
  EventChart,
  getChartData,
  listCharts,
  ResponseOf,
  UpdateChartRequest,
} from '@assay/contracts';
import { call } from './call.js';

export type Chart = ChartResponse;
export type ChartData = EventChart;
export type ChartRow = EventChart['events'][number];
export type NewChart = CreateChartRequest;
export type ChartChange = UpdateChartRequest;

const PATH = '/v1/charts';
const pathOf = (chartId: string) => `${PATH}/${encodeURIComponent(chartId)}`;

/** What a request of data may have. */
export interface DataQuery {
  readonly dateRange: string | object;
  readonly timezone: string;
}

export const allCharts = (project: string, signal?: AbortSignal) =>
  call<ResponseOf<typeof listCharts>>({ method: 'GET', path: PATH, project, signal });

export const addChart = (project: string, body: NewChart) =>
  call<ResponseOf<typeof createChart>>({ method: 'POST', path: PATH, project, body });

export const changeChart = (project: string, chartId: string, body: ChartChange) =>
  call<ResponseOf<typeof createChart>>({ method: 'PUT', path: pathOf(chartId), project, body });

export const removeChart = (project: string, chartId: string) =>
  call<unknown>({ method: 'DELETE', path: pathOf(chartId), project });

/** Returns the data of a saved chart in a range, in buckets that suit the range. */
export const dataOfChart = async (
  project: string,
  chartId: string,
  query: DataQuery,
  signal?: AbortSignal,
): Promise<ChartData> => {
  const { data } = await call<ResponseOf<typeof getChartData>>({
    ...{ method: 'GET', path: `${pathOf(chartId)}/data`, project, signal },
    query: { ...query, bucketing: 'auto' },
  });
  return data;
};

/** A definition that need not be saved. */
export interface DraftQuery extends DataQuery {
  readonly metric: string;
  readonly aggregation?: string | undefined;
  readonly groupBy?: string | undefined;
  readonly bucket: string;
  readonly filters: object;
}

export const dataOfDraft = (project: string, query: DraftQuery, signal?: AbortSignal) =>
  call<ChartData>({ method: 'GET', path: '/v1/events/chart', project, query: { ...query }, signal });
