import {
  createDatapointBatch,
  createDataset,
  previewDatapointBatch,
  type ResponseOf,
} from '@assay/contracts';
import { fieldsOf, objectSchema, type Properties } from '../input-schema.js';
import { ToolError, type CallRoute, type Tool, type ToolArguments, type ToolResult } from '../tool.js';

const MAX_LISTED_FAILURES = 20;

const OWN_ARGUMENTS: Properties = {
  event_ids: {
    type: 'array',
    description: 'Ids of events, each of which becomes a datapoint.',
    items: { type: 'string', format: 'uuid' },
    maxItems: 10_000,
  },
};

/** Creates a dataset from events, or adds events to one. */
export const createDatasetFromEvents: Tool = {
  name: 'create_dataset_from_events',
  title: 'Create a dataset from events',
  description:
    'Create a dataset with a datapoint for each selected event, or add to the dataset of dataset_id. Select events by event_ids, or with selectAll, filters and dateRange; mapping says which fields become inputs and ground truth.',
  input: objectSchema({
    ...fieldsOf(createDataset.body, 'name', 'description'),
    ...fieldsOf(createDatapointBatch.body, 'dataset_id', 'selectAll', 'filters', 'dateRange', 'mapping'),
    ...OWN_ARGUMENTS,
  }),
  routes: [createDataset, previewDatapointBatch, createDatapointBatch],
  rest: 'The datapoints are at GET /v1/datasets/{dataset_id}/datapoints of the API.',
  async run(args, call): Promise<ToolResult> {
    if ((args['name'] === undefined) === (args['dataset_id'] === undefined))
      throw new ToolError('one of name and dataset_id is needed');
    const selection = selectionOf(args);
    // A selection that the API refuses leaves no dataset without datapoints behind.
    if (args['dataset_id'] === undefined) await assertSelects(selection, call);
    const dataset_id = (args['dataset_id'] as string | undefined) ?? (await create(args, call));
    const { insertedIds, failed = [], redacted } = await fill(dataset_id, { args, selection }, call);
    return {
      text: JSON.stringify({
        dataset_id,
        datapoints: insertedIds.length,
        failed_count: failed.length,
        failed: failed.slice(0, MAX_LISTED_FAILURES),
        ...(redacted === true && { redacted }),
      }),
    };
  },
};

function selectionOf({
  name: _,
  description: __,
  dataset_id: ___,
  event_ids,
  ...rest
}: ToolArguments): object {
  const ids = event_ids as readonly string[] | undefined;
  return { ...rest, ...(ids && { checkState: Object.fromEntries(ids.map((id) => [id, true])) }) };
}

async function assertSelects(selection: object, call: CallRoute): Promise<void> {
  const { body } = await call(previewDatapointBatch, { body: selection });
  const { total } = JSON.parse(body.toString()) as ResponseOf<typeof previewDatapointBatch>;
  if (total === 0) throw new ToolError('no event is selected: no dataset was created');
}

async function create({ name, description }: ToolArguments, call: CallRoute): Promise<string> {
  const { body } = await call(createDataset, { body: { name, description } });
  return (JSON.parse(body.toString()) as ResponseOf<typeof createDataset>).result.insertedId;
}

async function fill(
  dataset_id: string,
  { args, selection }: { readonly args: ToolArguments; readonly selection: object },
  call: CallRoute,
): Promise<ResponseOf<typeof createDatapointBatch>> {
  try {
    const { body } = await call(createDatapointBatch, { body: { ...selection, dataset_id } });
    return JSON.parse(body.toString()) as ResponseOf<typeof createDatapointBatch>;
  } catch (error) {
    if (!(error instanceof ToolError) || args['dataset_id'] !== undefined) throw error;
    throw new ToolError(
      `${error.message}; the dataset ${dataset_id} was created: call again with it as dataset_id`,
    );
  }
}
