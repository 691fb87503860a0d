import { randomUUID } from 'node:crypto';
import type { Route } from '@assay/contracts';
import type { Client } from '../harness/stack/client.js';

/** How a resource is made whose id a path or a body names. */
interface Fresh {
  readonly path: string;
  readonly body: () => object;
  /** What precedes its id in the response. */
  readonly before: string;
  readonly isAdmin?: true;
}

const named = (fields: object = {}) => ({ name: randomUUID(), ...fields });
const event: Fresh = {
  path: '/v1/events',
  body: () => ({ event_type: 'tool', inputs: {} }),
  before: '"event_id":',
};
const metric: Fresh = {
  path: '/v1/metrics',
  body: () => named({ type: 'PYTHON', criteria: 'result = 1' }),
  before: '"metric_id":',
};
const run: Fresh = {
  path: '/v1/runs',
  body: () => named({ event_ids: [] }),
  before: '"run_id":',
};
const queue: Fresh = {
  path: '/v1/queues',
  body: () => named({ filters: { filterArray: [] } }),
  before: '"id":',
};
const dataset: Fresh = { path: '/v1/datasets', body: () => named(), before: '"insertedId":' };

/** Resources by the names that parameters of paths have. */
const OF_PATHS: Readonly<Record<string, Fresh>> = {
  event_id: event,
  metric_id: metric,
  run_id: run,
  new_run_id: run,
  old_run_id: run,
  queue_id: queue,
  dataset_id: dataset,
  datapoint_id: { path: '/v1/datapoints', body: () => ({ inputs: {} }), before: '"insertedIds":[' },
  chart_id: { path: '/v1/charts', body: () => named({ metric: 'duration', func: 'avg' }), before: '"id":' },
  configId: {
    path: '/v1/configurations',
    body: () => named({ provider: 'openai', parameters: { call_type: 'chat', model: 'm' } }),
    before: '"insertedId":',
  },
  data_plane_id: {
    path: '/v1/data-planes',
    body: () => named({ project_ids: [] }),
    before: '"id":',
    isAdmin: true,
  },
};

/** Resources that bodies name, by operation. */
const OF_BODIES: Readonly<Record<string, Readonly<Record<string, Fresh>>>> = {
  updateEventByBody: { event_id: event },
  updateMetricByBody: { id: metric },
  updateDatasetByBody: { dataset_id: dataset },
};

/** The project whose resources are made, its key, and that of an administrator. */
export interface FreshKeys {
  readonly projectId: string;
  readonly project: string;
  readonly admin: string;
}

/** Ids of new resources, of which one request is made. What many requests write to one resource would grow with each of them. */
export interface FreshIds {
  readonly ofPath: Readonly<Record<string, string>>;
  readonly inBody: Readonly<Record<string, string>>;
}

export async function freshIds(client: Client, route: Route, keys: FreshKeys): Promise<FreshIds> {
  const ofPath: Record<string, string> = { session_id: randomUUID(), project_id: keys.projectId };
  const inBody: Record<string, string> = {};
  for (const [, name = ''] of route.path.matchAll(/\{(\w+)\}/g))
    if (OF_PATHS[name]) ofPath[name] = await create(client, OF_PATHS[name], keys);
  for (const [name, fresh] of Object.entries(OF_BODIES[route.operation] ?? {}))
    inBody[name] = await create(client, fresh, keys);
  return { ofPath, inBody: { ...inBody, ...newNames(route) } };
}

/** What no two resources of a kind may share. */
function newNames({ body }: Route): Record<string, string> {
  const fields = Object.keys((body as { properties?: object } | undefined)?.properties ?? {});
  const isRun = fields.includes('run_id') && fields.includes('evaluators');
  return { ...(fields.includes('name') && named()), ...(isRun && { run_id: randomUUID() }) };
}

async function create(client: Client, { path, body, before, isAdmin }: Fresh, keys: FreshKeys) {
  const { status, text } = await client.post(path, body(), { key: isAdmin ? keys.admin : keys.project });
  const start = text.indexOf(before);
  if (status !== 200 || start < 0)
    throw new Error(`making a resource by ${path} returned ${status}: ${text}`);
  return text.slice(start + before.length + 1).split('"', 1)[0] as string;
}
