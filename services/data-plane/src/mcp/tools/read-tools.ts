import {
  compareRunDatapoints,
  compareRunResults,
  gateRun,
  getMetric,
  listDatasets,
  listMetrics,
  listRuns,
  listRunSummaries,
  pageEvents,
} from '@assay/contracts';
import { routeTool } from '../route-tool.js';
import type { Tool } from '../tool.js';

const FEWER =
  'Ask for less with limit, columns or preview_chars; read_event returns the values of one event in parts.';

/** Tools that read by one route. */
export const READ_TOOLS: readonly Tool[] = [
  routeTool({
    name: 'search_events',
    title: 'Search events',
    description:
      'Find events (model calls, tool calls, chains, sessions) by filters and dates, newest first, in pages without inputs and outputs but with previews of them. Pass next_cursor as cursor to read on.',
    route: pageEvents,
    defaults: { limit: 20 },
    pageOf: 'events',
    rest: FEWER,
  }),
  routeTool({
    name: 'list_runs',
    title: 'List experiment runs',
    description: 'List experiment runs, newest first, with the names of their scores. Pass page to read on.',
    route: listRuns,
    defaults: { limit: 10 },
    rest: 'Ask for less with limit, or for single runs with run_ids.',
  }),
  routeTool({
    name: 'summarize_runs',
    title: 'Summarize runs',
    description:
      'Read the numbers of up to 100 runs: datapoints, passed and failed, mean of each metric, errors, durations, tokens and cost. Right for runs of any size.',
    route: listRunSummaries,
    rest: 'Ask for fewer run_ids.',
  }),
  routeTool({
    name: 'compare_runs',
    title: 'Compare two runs',
    description:
      'Compare a run with an older one, metric by metric: means, counts of datapoints that improved and degraded, and whether chance explains the difference.',
    route: compareRunResults,
    rest: 'compare_run_datapoints lists all datapoints in pages.',
  }),
  routeTool({
    name: 'compare_run_datapoints',
    title: 'Compare two runs by datapoint',
    description:
      'List the datapoints of two runs in pages, the largest loss first: scores, outputs, durations, cost and errors of both. Use only to select those that became worse.',
    route: compareRunDatapoints,
    defaults: { limit: 20 },
    pageOf: 'rows',
    rest: FEWER,
  }),
  routeTool({
    name: 'gate_run',
    title: 'Decide whether a run may replace an older one',
    description: 'Decide whether a run may replace an older one: pass, fail or undecided, with the reasons.',
    route: gateRun,
    rest: 'Name fewer metrics.',
  }),
  routeTool({
    name: 'list_datasets',
    title: 'List datasets',
    description: 'List datasets, newest first, with the ids of their datapoints.',
    route: listDatasets,
    rest: 'Read one dataset with dataset_id.',
  }),
  routeTool({
    name: 'list_metrics',
    title: 'List metrics',
    description: 'List the metrics of the project: Python code, LLM judges, human scores and composites.',
    route: listMetrics,
    rest: 'get_metric returns one metric.',
  }),
  routeTool({
    name: 'get_metric',
    title: 'Read a metric',
    description: 'Read one metric with its criteria, filters and versions.',
    route: getMetric,
    rest: 'The rest is at GET /v1/metrics/{metric_id} of the API.',
  }),
];
