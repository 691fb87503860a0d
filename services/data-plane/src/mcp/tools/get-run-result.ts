import { getRunResult, type ResponseOf } from '@assay/contracts';
import { inputOf, objectSchema, type Properties } from '../input-schema.js';
import { splitArguments } from '../route-tool.js';
import type { Tool, ToolArguments, ToolResult } from '../tool.js';

type Result = ResponseOf<typeof getRunResult>;

const SELECTIONS = ['failed', 'all'] as const;
const DEFAULT_DATAPOINTS = 20;
const MAX_DATAPOINTS = 200;

const OWN_ARGUMENTS: Properties = {
  datapoints: {
    type: 'string',
    enum: SELECTIONS,
    description: 'Datapoints to list: those that failed (default), or all.',
  },
  limit: {
    type: 'integer',
    description: `Datapoints to list; ${DEFAULT_DATAPOINTS} when absent, 0 for none.`,
    minimum: 0,
    maximum: MAX_DATAPOINTS,
  },
  offset: {
    type: 'integer',
    description: 'Datapoints to skip before the first one.',
    minimum: 0,
    maximum: 1_000_000,
  },
};

const ofRoute = inputOf(getRunResult);

/** The result of a run, with counts in place of lists of ids, and some of its datapoints. */
export const readRunResult: Tool = {
  name: 'get_run_result',
  title: 'Read the result of a run',
  description:
    'Read the result of an experiment run: the aggregate of each metric, how many datapoints passed and failed, what the evaluators decided, and the datapoints that failed with their scores.',
  input: objectSchema(
    { ...(ofRoute['properties'] as Properties), ...OWN_ARGUMENTS },
    ofRoute['required'] as readonly string[],
  ),
  routes: [getRunResult],
  rest: 'Page through the datapoints with limit and offset; summarize_runs returns the numbers of runs of any size.',
  async run(args, call): Promise<ToolResult> {
    const response = await call(getRunResult, splitArguments(getRunResult, args));
    const result = (await response.parse()) as object as Result;
    return { text: JSON.stringify(inBrief(result, args)) };
  },
};

function inBrief({ passed, failed, metrics, datapoints, ...rest }: Result, args: ToolArguments): object {
  const { datapoints: selection = 'failed', limit = DEFAULT_DATAPOINTS, offset = 0 } = args as Selection;
  const selected = selection === 'all' ? datapoints : datapoints.filter((one) => !one.passed);
  return {
    ...rest,
    passed_count: passed.length,
    failed_count: failed.length,
    metrics: {
      ...metrics,
      details: metrics.details.map(({ values, datapoints: ids, trials: _trials, ...detail }) => ({
        ...detail,
        scores: values.length,
        passed_count: ids.passed.length,
        failed_count: ids.failed.length,
      })),
    },
    datapoints: {
      selection,
      total: selected.length,
      offset,
      items: selected.slice(offset, offset + limit),
    },
  };
}

interface Selection {
  readonly datapoints?: (typeof SELECTIONS)[number];
  readonly limit?: number;
  readonly offset?: number;
}
