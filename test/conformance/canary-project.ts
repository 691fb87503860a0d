import { createHash, randomUUID } from 'node:crypto';
import { DOCUMENT_KINDS } from '@assay/domain';
import { waitFor } from '@assay/testing';
import type { ApiResponse, Client } from '../harness/stack/client.js';

/** A project that has one of everything, each with a canary that nothing else contains. */
export interface CanaryProject {
  readonly canary: string;
  /** An id of the project for each name under which routes take one. */
  readonly ids: Readonly<Record<string, string>>;
  /** What the project held at first. */
  readonly before: unknown;
  /** Reads the same again. */
  readonly read: () => Promise<unknown>;
}

/** Fills the project of a client. Only requests change it when this resolves. */
export async function fillWithCanaries(client: Client): Promise<CanaryProject> {
  const canary = `canary-${randomUUID()}`;
  const [project] = (await client.call('GET', '/v1/projects')).json<{ id: string }[]>();
  const events = await sendEvents(client, canary);
  const metric = await createMetric(client, canary);
  const others = await createResources(client, canary, events);
  const keys = `/v1/projects/${project!.id}/api_keys`;
  const [key] = (await client.call('GET', keys)).json<Keys>().data;
  const ids = {
    project_id: project!.id,
    key_id: key!.key_id,
    field: 'inputs',
    ...events,
    ...metric,
    ...others,
  };
  const read = () => readAll(client, ids);
  return { canary, ids, before: await read(), read };
}

interface Keys {
  readonly data: readonly { readonly key_id: string }[];
}

type EventIds = Record<'event_id' | 'session_id' | 'deletion_id' | 'hash', string>;
/** Large enough to be stored once. */
const MEDIA_TIMES = 2_000;

async function sendEvents(client: Client, canary: string): Promise<EventIds> {
  const [session_id, event_id] = [randomUUID(), randomUUID()];
  const media = Buffer.from(canary.repeat(MEDIA_TIMES));
  const outputs = { text: canary, url: `data:text/plain;base64,${media.toString('base64')}` };
  const values = { inputs: { text: canary }, outputs, metadata: { text: canary } };
  const event = (id: string, event_type: string, event_name = canary) => ({
    ...{ event_id: id, session_id, event_type, event_name, start_time: Date.now(), ...values },
    ...(id !== session_id && { parent_id: session_id }),
  });
  const events = [
    event(session_id, 'session'),
    event(event_id, 'model'),
    event(randomUUID(), 'tool', 'gone'),
  ];
  await post(client, '/v1/events/batch', { events });
  await client.search({ filters: [] });
  const filters = [{ field: 'event_name', operator: 'is', value: 'gone' }];
  const { id: deletion_id } = await post<{ id: string }>(client, '/v1/deletions', { filters });
  await waitFor('the deletion has begun', async () => (await client.search({ filters })).events.length === 0);
  return { event_id, session_id, deletion_id, hash: createHash('sha256').update(media).digest('hex') };
}

interface Job {
  readonly job: { readonly id: string; readonly state: string };
}

async function createMetric(client: Client, canary: string): Promise<Record<string, string>> {
  const code = { name: canary, type: 'PYTHON', criteria: `result = 1 # ${canary}`, enabled_in_prod: false };
  const { metric_id } = await post<{ metric_id: string }>(client, '/v1/metrics', code);
  const filters = [{ field: 'event_name', operator: 'is', value: 'none' }];
  const { job } = await post<Job>(client, `/v1/metrics/${metric_id}/evaluate`, { filters });
  await waitFor('the job has ended', async () => {
    const read = done(await client.call('GET', `/v1/jobs/${job.id}`));
    return read.json<Job>().job.state !== 'running';
  });
  return { metric_id, job_id: job.id, version_name: 'v1' };
}

async function createResources(
  client: Client,
  canary: string,
  { event_id, session_id }: EventIds,
): Promise<Record<string, string>> {
  const created = async (path: string, body: object) =>
    post<Created>(client, path, { name: canary, ...body });
  const dataset_id = idOf(await created('/v1/datasets', {}));
  const inputs = { text: canary };
  const datapoint_id = idOf(await post(client, '/v1/datapoints', { inputs, linked_datasets: [dataset_id] }));
  const named = { dataset_id, event_ids: [event_id], session_ids: [session_id], status: 'completed' };
  const run_id = idOf(await created('/v1/runs', named));
  const parameters = { call_type: 'chat', model: canary };
  const configId = idOf(await created('/v1/configurations', { provider: 'openai', parameters }));
  const chart_id = idOf(await created('/v1/charts', { metric: 'duration', func: 'avg' }));
  const alert = { threshold: 1, webhook: { url: 'https://example.com/hook' } };
  const alert_id = idOf(await created('/v1/alerts', alert));
  const queue_id = idOf(await created('/v1/queues', { event_ids: [event_id] }));
  const runs = { run_id, new_run_id: run_id, old_run_id: run_id, evaluation_id: run_id, against: run_id };
  return {
    dataset_id,
    datapoint_id,
    linked_event: event_id,
    configId,
    chart_id,
    alert_id,
    queue_id,
    ...runs,
  };
}

/** Reads everything that the project has, but for what time changes. */
async function readAll(client: Client, ids: Readonly<Record<string, string>>): Promise<unknown> {
  const documents = DOCUMENT_KINDS.map((kind) => `/v1/transfers/documents?kind=${kind}`);
  const others = [
    `/v1/events/${ids['event_id']}/evaluations`,
    `/v1/jobs/${ids['job_id']}`,
    `/v1/queues/${ids['queue_id']}/events`,
    `/v1/projects/${ids['project_id']}/charts`,
    '/v1/projects',
  ];
  const read = [...documents, ...others].map(async (path) =>
    done(await client.call('GET', path)).json<unknown>(),
  );
  const alerts = done(await client.call('GET', '/v1/alerts')).json<{ data: object[] }>().data;
  const keys = done(await client.call('GET', `/v1/projects/${ids['project_id']}/api_keys`));
  const { events } = await client.search({ filters: [], limit: 1_000 });
  return [
    ...(await Promise.all(read)),
    events,
    alerts.map((alert) => ({ ...alert, state: undefined, evaluated_to: undefined, last_value: undefined })),
    keys.json<Keys>().data.map((key) => ({ ...key, last_used_at: undefined })),
  ];
}

async function post<T>(client: Client, path: string, body: object): Promise<T> {
  return done(await client.post(path, body)).json<T>();
}

interface Created {
  readonly insertedId?: string;
  readonly run_id?: string;
  readonly result?: { readonly insertedId: string };
  readonly data?: { readonly id: string };
  readonly queue?: { readonly id: string };
}

/** Each kind of resource returns its id in its own way. */
function idOf({ insertedId, run_id, result, data, queue }: Created): string {
  const id = insertedId ?? run_id ?? result?.insertedId ?? data?.id ?? queue?.id;
  if (id === undefined) throw new Error('a resource was created without an id');
  return id;
}

function done(response: ApiResponse): ApiResponse {
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
  return response;
}
