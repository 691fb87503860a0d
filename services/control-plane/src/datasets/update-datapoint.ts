import type { ResponseOf, UpdateDatapointRequest, updateDatapoint as route } from '@assay/contracts';
import { newDatapoint, type DatapointContent } from '@assay/domain';
import { notFound } from '@assay/errors';
import { createYieldToEventLoop } from '@assay/runtime';
import { DatasetRepository, type DatapointDeps } from './dataset-repository.js';
import { withinSize } from '../shared/within-size.js';
import type { OperationContext } from '../shared/operation-context.js';
import { undefinedIfNotFound } from '../shared/undefined-if-not-found.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import type { Datapoint } from './datapoint-document.js';
import { linkedDatasets } from './linked-datasets.js';

/**
 * Replaces the given fields of a datapoint. `linked_datasets` replaces its memberships.
 * @throws AppError `NOT_FOUND` if the datapoint or a dataset does not exist, `CONFLICT`
 */
export function makeUpdateDatapoint(deps: DatapointDeps) {
  return async function updateDatapoint(
    { params, body }: { params: { datapoint_id: string }; body: UpdateDatapointRequest },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const { datapoint_id: id } = params;
    const datasets = new DatasetRepository(deps, caller.projectId);
    const collection = new ProjectScopedCollection(deps.datapoints, caller.projectId);
    const yieldToEventLoop = createYieldToEventLoop();
    const before = await collection.get(id);
    // A datapoint of 10 MB is read, compared, read again and written, each in a turn of its own.
    await yieldToEventLoop();
    if (!before) throw notFound('datapoint not found');
    for (const dataset of body.linked_datasets ?? []) await datasets.getExisting(dataset);
    const changed = changedDatapoint(before, body, deps.now());
    await yieldToEventLoop();
    if (isChanged(before, changed)) await recordContent(datasets, id);
    await yieldToEventLoop();
    const updated = await collection.update(id, (datapoint) => changedDatapoint(datapoint, body, deps.now()));
    if (!updated) throw notFound('datapoint not found');
    if (body.linked_datasets) await relink(datasets, id, body.linked_datasets);
    return { updated: true, result: { modifiedCount: 1 } };
  };
}

/** A body can have many other fields, which are not copied. */
const FIELDS = Object.keys(newDatapoint({})) as readonly (keyof DatapointContent)[];

function changedDatapoint(datapoint: Datapoint, body: UpdateDatapointRequest, now: Date): Datapoint {
  const sent = FIELDS.filter((name) => Object.hasOwn(body, name)).map((name) => [name, body[name]]);
  const changed = { ...datapoint, ...(Object.fromEntries(sent) as Partial<DatapointContent>) };
  const content = withinSize('datapoint', newDatapoint(changed), datapoint);
  return { ...datapoint, ...content, updated_at: now.toISOString() };
}

function isChanged(before: Datapoint, after: Datapoint): boolean {
  const contentOf = ({ inputs, history, ground_truth, metadata }: Datapoint) =>
    JSON.stringify([inputs, history, ground_truth, metadata]);
  return contentOf(before) !== contentOf(after);
}

/** Records a version of every dataset of a datapoint, before its content is written. */
async function recordContent(datasets: DatasetRepository, id: string): Promise<void> {
  for (const dataset of (await linkedDatasets(datasets, [id]))(id))
    await undefinedIfNotFound(() => datasets.recordContent(dataset));
}

async function relink(datasets: DatasetRepository, id: string, wanted: readonly string[]): Promise<void> {
  const linked = (await linkedDatasets(datasets, [id]))(id);
  for (const dataset of linked.filter((one) => !wanted.includes(one))) await datasets.unlink(dataset, id);
  for (const dataset of new Set(wanted.filter((one) => !linked.includes(one))))
    await datasets.link(dataset, [id]);
}
