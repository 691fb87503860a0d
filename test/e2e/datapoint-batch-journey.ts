import { randomUUID } from 'node:crypto';
import { waitFor } from '@assay/testing';
import { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import type { Stack } from '../harness/stack/stack.js';

interface Made {
  readonly inserted: boolean;
  readonly insertedIds: string[];
  readonly failed?: { readonly event_id: string; readonly message: string }[];
}
interface Datapoint {
  readonly id: string;
  readonly inputs: object;
  readonly history: object[];
  readonly ground_truth: object | null;
  readonly linked_event: string;
  readonly linked_datasets: string[];
}

const DAY = Date.parse('2026-11-01T00:00:00Z');
const MESSAGE = { role: 'user', content: 'Hello' };

/** Thousands of events that one request turns into datapoints. FerretDB looks ids up one by one, a few milliseconds each. */
const THOUSANDS = { standalone: 10, split: 2 };

/** Events become datapoints, and datapoints become part of datasets. */
export function datapointBatchJourney(startStack: () => Promise<Stack>): void {
  const { stack, client } = onStack(startStack);

  const createEvents = async (events: object[]): Promise<string[]> => {
    const response = await client.post('/v1/events/batch', {
      events: events.map((event) => ({ event_type: 'model', inputs: {}, ...event })),
    });
    expect([response.status, response.text.slice(0, 300)]).toEqual([200, expect.any(String)]);
    return response.json<{ event_ids: string[] }>().event_ids;
  };
  const batch = (body: object, path = '/v1/datapoints/batch') =>
    client.post(path, body, { headers: { prefer: 'wait=30' }, timeoutMs: 150_000 });
  const made = async (body: object): Promise<Made> => {
    const response = await batch(body);
    expect([response.status, response.text.slice(0, 300)]).toEqual([200, expect.any(String)]);
    return response.json();
  };
  const read = async (id: string) =>
    (await client.call('GET', `/v1/datapoints/${id}`)).json<{ datapoint: Datapoint[] }>().datapoint[0]!;
  const linked = async ({ insertedIds }: Made) =>
    Promise.all(insertedIds.map(async (id) => (await read(id)).linked_event));
  const newDataset = async () =>
    (await client.post('/v1/datasets', { name: 'golden' })).json<{ result: { insertedId: string } }>().result
      .insertedId;
  const datapointsIn = async (id: string) =>
    (await client.call('GET', `/v1/datasets?dataset_id=${id}`)).json<{
      datasets: { datapoints: string[] }[];
    }>().datasets[0]!.datapoints;
  const marked = (marker: string) => [
    { field: 'metadata.marker', operator: 'is', value: marker, type: 'string' },
  ];

  it('takes inputs, history and ground truth of each event, by default or with a mapping', async () => {
    const inputs = { question: 'q', user: { name: 'n' }, chat_history: [MESSAGE] };
    const [event, corrected] = await createEvents([
      { inputs, outputs: { answer: 'a' } },
      { inputs: {}, outputs: { answer: 'wrong' }, feedback: { ground_truth: { answer: 'right' } } },
    ]);
    const plain = await made({ events: [event, corrected] });
    expect(plain).toEqual({ inserted: true, insertedIds: [expect.any(String), expect.any(String)] });
    expect(await read(plain.insertedIds[0]!)).toMatchObject({
      inputs,
      history: [MESSAGE],
      ground_truth: { answer: 'a' },
      linked_event: event,
    });
    expect(await read(plain.insertedIds[1]!)).toMatchObject({
      inputs: {},
      history: [],
      ground_truth: { answer: 'right' },
    });
    const mapping = {
      inputs: ['inputs.question', 'inputs.user.name'],
      history: ['inputs.chat_history'],
      ground_truth: ['outputs'],
    };
    const mapped = await made({ checkState: { [event!]: true, [corrected!]: false }, mapping });
    expect(mapped.insertedIds).toHaveLength(1);
    expect(await read(mapped.insertedIds[0]!)).toMatchObject({
      inputs: { question: 'q', ['user.name']: 'n' },
      history: [MESSAGE],
      ground_truth: { answer: 'a' },
    });
  });

  it('adds datapoints to a dataset in order, and once when the request is repeated on either path', async () => {
    const ids = await createEvents([{ inputs: { n: 0 } }, { inputs: { n: 1 } }, { inputs: { n: 2 } }]);
    const dataset_id = await newDataset();
    const body = {
      events: [ids[1], ids[0]!.toUpperCase(), ids[1]],
      checkState: { [ids[2]!]: true },
      dataset_id,
    };
    const first = await made(body);
    expect(await linked(first)).toEqual([ids[1], ids[0], ids[2]]);
    expect((await batch(body, '/datapoints/batch')).json()).toEqual(first);
    await Promise.all(Array.from({ length: 4 }, () => made(body)));
    expect(await datapointsIn(dataset_id)).toEqual(first.insertedIds);
    expect(await read(first.insertedIds[0]!)).toMatchObject({ linked_datasets: [dataset_id] });
    const other = await made({ ...body, dataset_id: await newDataset() });
    expect(other.insertedIds.filter((id) => first.insertedIds.includes(id))).toEqual([]);
  });

  it('makes datapoints of all matching events but the excluded ones', async () => {
    const marker = randomUUID();
    const ids = await createEvents(
      [0, 1, 2, 3, 4].map((day) => ({
        start_time: DAY + day * 86_400_000,
        metadata: { marker },
        event_name: day === 4 ? 'other' : 'same',
      })),
    );
    await createEvents([{ start_time: DAY }]);
    const filters = marked(marker);
    const all = { selectAll: true, filters };
    expect(await linked(await made(all))).toEqual([...ids].reverse());
    expect(await linked(await made({ ...all, checkState: { [ids[3]!]: false, [ids[0]!]: true } }))).toEqual([
      ids[0],
      ids[4],
      ids[2],
      ids[1],
    ]);
    const dateRange = { $gte: new Date(DAY + 86_400_000).toISOString(), $lte: DAY + 3 * 86_400_000 };
    for (const spelling of [filters, { filterArray: filters }, filters[0]!]) {
      expect(await linked(await made({ selectAll: true, filters: spelling, dateRange }))).toEqual([
        ids[3],
        ids[2],
        ids[1],
      ]);
    }
    const named = [...filters, { field: 'event_name', operator: 'is', value: 'other', type: 'string' }];
    expect(await linked(await made({ selectAll: true, filters: named }))).toEqual([ids[4]]);
    expect(await made({ selectAll: true, filters: marked(randomUUID()) })).toEqual({
      inserted: true,
      insertedIds: [],
    });
  });

  it('makes datapoints of thousands of events with equal times and lists them in the dataset', async () => {
    const many = THOUSANDS[stack.kind];
    const marker = randomUUID();
    const ids = new Set<string>();
    for (let part = 0; part < many; part++) {
      const events = Array.from({ length: 1_000 }, (_, n) => ({
        start_time: DAY + Math.floor((part * 1_000 + n) / 400),
        inputs: { n: part * 1_000 + n },
        metadata: { marker },
      }));
      for (const id of await createEvents(events)) ids.add(id);
    }
    const dataset_id = await newDataset();
    const body = { selectAll: true, filters: marked(marker), dataset_id };
    // A slow store causes a 503; a retry of the same request continues the work.
    const first = await waitFor(
      'all datapoints are made',
      async () => {
        const response = await batch(body);
        return response.status === 200 && response.json<Made>();
      },
      { withinMs: 150_000 },
    );
    expect(new Set(first.insertedIds).size).toBe(many * 1_000);
    expect(first.failed).toBeUndefined();
    expect(await datapointsIn(dataset_id)).toEqual(first.insertedIds);
    expect(await made(body)).toEqual(first);
    const page = await client.call('GET', `/v1/datapoints?dataset_id=${dataset_id}&limit=1000&page=${many}`);
    for (const { linked_event } of page.json<{ datapoints: Datapoint[] }>().datapoints)
      expect(ids.has(linked_event)).toBe(true);
    expect(await datapointsIn(dataset_id)).toHaveLength(many * 1_000);
  }, 180_000);

  it('reports the events without a datapoint and makes the others', async () => {
    const [good, bad] = await createEvents([{ inputs: { chat: [MESSAGE] } }, { inputs: { chat: 'text' } }]);
    const absent = randomUUID();
    const mapping = { history: ['inputs.chat'] };
    const response = await made({ events: [absent, bad, good], mapping });
    expect(await linked(response)).toEqual([good]);
    expect(response.failed).toEqual(
      expect.arrayContaining([
        { event_id: bad, message: 'mapping.history names a field that is no list of messages in this event' },
        { event_id: absent, message: 'there is no event with this id' },
      ]),
    );
    expect((await batch({ events: [absent] })).status).toBe(404);
    expect((await batch({ events: [bad], mapping })).json()).toMatchObject({
      statusCode: 400,
      errorCode: 'VALIDATION_ERROR',
    });
    await client.call('DELETE', `/v1/events/${good}`);
    expect((await batch({ events: [good] })).status).toBe(404);
  });

  it('treats events and datasets of another project as not found', async () => {
    const admin = { key: stack.adminToken };
    const project = (await client.post('/v1/projects', { name: `other ${randomUUID()}` }, admin)).json<{
      api_key: string;
    }>();
    const other = new Client(stack, project.api_key);
    const [mine] = await createEvents([{ inputs: { secret: 1 } }]);
    const dataset_id = await newDataset();
    const wait = { headers: { prefer: 'wait=30' } };
    expect((await other.post('/v1/datapoints/batch', { events: [mine] }, wait)).status).toBe(404);
    const refused = await other.post('/v1/datapoints/batch', { selectAll: true, dataset_id }, wait);
    expect([refused.status, refused.json<{ message: string }>().message]).toEqual([404, 'dataset not found']);
    expect((await other.post('/v1/datapoints/batch', { selectAll: true }, wait)).json()).toEqual({
      inserted: true,
      insertedIds: [],
    });
    expect((await batch({ events: [mine], dataset_id: '0'.repeat(24) })).status).toBe(404);
  });

  const id = randomUUID();
  it.each<[string, object]>([
    ['events, checkState or selectAll', {}],
    ['events, checkState or selectAll', { events: [] }],
    ['events, checkState or selectAll', { checkState: { [id]: false } }],
    ['events, checkState or selectAll', { selectAll: false, filters: [] }],
    ['events must be a list', { events: 'x' }],
    ['events[0] must be a string', { events: [5] }],
    ['events[0] must be a valid UUID', { events: ['x'] }],
    ['events must have at most 10000 items', { events: Array.from({ length: 10_001 }, () => id) }],
    ['checkState must be an object', { checkState: [] }],
    [`checkState.${id} must be true or false`, { checkState: { [id]: 'yes' } }],
    ['each name in checkState must be a valid UUID', { checkState: { x: true } }],
    ['each name in checkState must be a valid UUID', { checkState: { __proto__x: true } }],
    ['selectAll must be true or false', { selectAll: 'true' }],
    ['filters must be a list or an object', { selectAll: true, filters: 'x' }],
    ['filters[0] must be an object', { selectAll: true, filters: [5] }],
    ['filters[0].operator', { selectAll: true, filters: [{ field: 'a', operator: 'like', value: 1 }] }],
    [
      'filters.filterArray[0].field is required',
      { selectAll: true, filters: { filterArray: [{ value: 1 }] } },
    ],
    [
      'filters must be a list, a condition with a field',
      { selectAll: true, filters: { event_type: 'model' } },
    ],
    [
      'filters must have at most 50 items',
      { selectAll: true, filters: Array.from({ length: 51 }, () => ({ field: 'a', value: 1 })) },
    ],
    ['dateRange.$gte', { selectAll: true, dateRange: { $gte: {} } }],
    ['dateRange.from', { selectAll: true, dateRange: { from: 1 } }],
    ['dateRange', { selectAll: true, dateRange: 'yesterday' }],
    ['mapping must be an object', { events: [id], mapping: [] }],
    ['mapping.inputs must be a list', { events: [id], mapping: { inputs: 'inputs' } }],
    ['mapping.inputs[0] must be a string', { events: [id], mapping: { inputs: [5] } }],
    ['mapping.history[0] must be a field of events', { events: [id], mapping: { history: ['nothing.a'] } }],
    [
      'mapping.ground_truth[0] must have at least 1 character',
      { events: [id], mapping: { ground_truth: [''] } },
    ],
    [
      'mapping.ground_truth[1] gives a key',
      { events: [id], mapping: { ground_truth: ['outputs.a', 'inputs.a'] } },
    ],
    [
      'mapping.inputs must have at most 100 items',
      { events: [id], mapping: { inputs: Array.from({ length: 101 }, () => 'inputs') } },
    ],
    ['dataset_id must be a string', { events: [id], dataset_id: 5 }],
    ['dataset_id must have at least 1 character', { events: [id], dataset_id: '' }],
    ['dataset_id must have at most 200 characters', { events: [id], dataset_id: 'x'.repeat(201) }],
  ])('says that %s', async (message, body) => {
    const response = await batch(body);
    expect(response.json()).toMatchObject({ statusCode: 400, success: false, errorCode: 'VALIDATION_ERROR' });
    expect(response.json<{ message: string }>().message).toContain(message);
  });
}
