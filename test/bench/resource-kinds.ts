import { randomUUID } from 'node:crypto';

/** A kind of documents of the control plane, as the bench fills and asks for it. */
export interface ResourceKind {
  readonly name: string;
  /** Where one is created. */
  readonly path: string;
  readonly body: (index: number) => object;
  readonly idIn: (response: CreateAnswer) => string;
  /** How one is read by its id; absent where no route does that. */
  readonly one?: (id: string) => string;
  /** A list that holds 100 of them; absent where the only list is the whole. */
  readonly hundred?: string;
  readonly update: (index: number) => object;
}

export interface CreateAnswer {
  readonly insertedId: string;
  readonly metric_id: string;
  readonly run_id: string;
  readonly result: { readonly insertedId: string; readonly insertedIds: readonly [string] };
  readonly queue: { readonly id: string };
  readonly data: { readonly id: string };
}

/** One name for 100 of them. */
const group = (index: number) => `group ${Math.floor(index / 100)}`;
const SOME_GROUP = encodeURIComponent('group 50');
const TEXT = 'How do I get my money back when the parcel never came? '.repeat(8);

export const RESOURCE_KINDS: readonly ResourceKind[] = [
  {
    name: 'datapoints',
    path: '/v1/datapoints',
    body: (index) => ({ inputs: { question: TEXT, number: index }, ground_truth: { answer: TEXT } }),
    idIn: ({ result }) => result.insertedIds[0],
    one: (id) => `/v1/datapoints/${id}`,
    hundred: '/v1/datapoints?limit=100&page=50',
    update: () => ({ ground_truth: { answer: 'another' } }),
  },
  {
    name: 'datasets',
    path: '/v1/datasets',
    body: (index) => ({ name: group(index), description: TEXT }),
    idIn: ({ result }) => result.insertedId,
    one: (id) => `/v1/datasets?dataset_id=${id}`,
    hundred: `/v1/datasets?name=${SOME_GROUP}`,
    update: () => ({ description: 'another' }),
  },
  {
    name: 'runs',
    path: '/v1/runs',
    body: (index) => ({
      name: group(index),
      metadata: { branch: 'main', number: index },
      configuration: { prompt: TEXT },
    }),
    idIn: ({ run_id }) => run_id,
    one: (id) => `/v1/runs/${id}`,
    hundred: '/v1/runs?limit=100&page=50',
    update: () => ({ status: 'completed', results: { accuracy: 0.9 } }),
  },
  {
    name: 'metrics',
    path: '/v1/metrics',
    body: (index) => ({
      name: `metric ${index}`,
      type: index % 100 === 0 ? 'HUMAN' : 'PYTHON',
      criteria: 'def score(event): return 1.0',
    }),
    idIn: ({ metric_id }) => metric_id,
    one: (id) => `/v1/metrics?id=${id}`,
    hundred: '/v1/metrics?type=HUMAN',
    update: () => ({ description: 'another' }),
  },
  {
    name: 'configurations',
    path: '/v1/configurations',
    body: (index) => ({
      name: group(index),
      provider: 'openai',
      parameters: { call_type: 'chat', model: 'gpt-4o' },
      tags: ['support'],
    }),
    idIn: ({ insertedId }) => insertedId,
    hundred: `/v1/configurations?name=${SOME_GROUP}`,
    update: (index) => ({ name: group(index), env: ['prod'] }),
  },
  {
    name: 'queues',
    path: '/v1/queues',
    body: (index) => ({ name: `queue ${index}`, description: TEXT, enabled: index % 100 === 0 }),
    idIn: ({ queue }) => queue.id,
    one: (id) => `/v1/queues/${id}`,
    hundred: '/v1/queues?enabled=true',
    update: () => ({ description: 'another', add_event_ids: [randomUUID()] }),
  },
  {
    name: 'charts',
    path: '/v1/charts',
    body: (index) => ({ name: `chart ${index}`, metric: 'duration', func: 'median', bucketing: 'day' }),
    idIn: ({ data }) => data.id,
    one: (id) => `/v1/charts/${id}`,
    update: () => ({ name: 'another' }),
  },
];
