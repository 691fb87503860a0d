import { randomUUID } from 'node:crypto';
import { waitFor } from '@assay/testing';
import { onStack } from '../harness/stack/on-stack.js';
import type { Stack } from '../harness/stack/stack.js';

interface QueueEvent {
  readonly event_id: string;
  readonly done: boolean;
  readonly event?: { readonly inputs: unknown; readonly metrics: unknown };
  readonly version: number;
}
interface Page {
  readonly events: QueueEvent[];
  readonly total: number;
  readonly counts: Readonly<Record<string, number>>;
}

/** The journey of an event into a queue, to a person, and out of it again. */
export function queueJourney(startStack: () => Promise<Stack>): ReturnType<typeof onStack> {
  const started = onStack(startStack);
  const { client } = started;

  const createQueue = async (filterArray: object[], more: object = {}) => {
    const response = await client.post('/v1/queues', { name: 'queue', filters: { filterArray }, ...more });
    return response.json<{ queue: { id: string } }>().queue.id;
  };
  const createEvent = async (fields: object = {}) => {
    const response = await client.post('/v1/events', {
      event_type: 'model',
      inputs: { question: 'q' },
      ...fields,
    });
    return response.json<{ event_id: string }>().event_id;
  };
  const page = async (id: string, query = '') =>
    (await client.call('GET', `/v1/queues/${id}/events${query}`)).json<Page>();
  const idsIn = async (id: string) => (await page(id)).events.map(({ event_id }) => event_id);
  const arrives = (id: string, eventId: string) =>
    waitFor('the event is in the queue', async () => (await idsIn(id)).includes(eventId), {
      withinMs: 120_000,
    });
  const inStore = (eventId: string) =>
    client.search({ filters: [{ field: 'event_id', operator: 'is', value: eventId, type: 'string' }] });

  it('adds an event once to each queue with matching filters and returns it with its values', async () => {
    const marker = randomUUID();
    const mine = { field: 'metadata.marker', operator: 'is', value: marker, type: 'string' };
    const queue = await createQueue([
      mine,
      { field: 'event_type', operator: 'is', value: 'model', type: 'string' },
    ]);
    const structure = await createQueue([
      mine,
      { field: 'inputs.question', operator: 'exists', value: null, type: 'string' },
    ]);
    const [none, disabled] = [await createQueue([]), await createQueue([mine], { enabled: false })];
    const matching = await createEvent({ metadata: { marker } });
    const other = await createEvent({ metadata: { marker }, event_type: 'tool', inputs: {} });
    await client.call('PUT', `/v1/events/${matching}`, { body: { metrics: { seen: 1 } } });
    const last = await createEvent({ metadata: { marker } });
    for (const id of [queue, structure]) for (const eventId of [matching, last]) await arrives(id, eventId);
    for (const id of [queue, structure]) expect((await idsIn(id)).sort()).toEqual([matching, last].sort());
    const counts = { pending: 0, not_arrived: 0, leased: 0, done: 0, skipped: 0 };
    for (const id of [none, disabled]) expect(await page(id)).toEqual({ events: [], total: 0, counts });
    expect((await inStore(other)).count).toBe(1);
    const entry = (await page(queue)).events.find(({ event_id }) => event_id === matching);
    expect(entry).toMatchObject({ done: false, event: { inputs: { question: 'q' }, metrics: { seen: 1 } } });
  });

  it('adds an event when an update makes it match', async () => {
    const marker = randomUUID();
    const queue = await createQueue([
      { field: `metrics.${marker}`, operator: 'less than', value: 0.5, type: 'number' },
    ]);
    const eventId = await createEvent();
    await client.call('PUT', `/v1/events/${eventId}`, { body: { metrics: { [marker]: 0.2 } } });
    await arrives(queue, eventId);
  });

  it('does not add events that arrived before the queue was created or enabled', async () => {
    const marker = randomUUID();
    const filters = [{ field: 'metadata.marker', operator: 'is', value: marker, type: 'string' }];
    const sleeping = await createQueue(filters, { enabled: false });
    const before = await createEvent({ metadata: { marker } });
    await inStore(before);
    const late = await createQueue(filters);
    await client.call('PUT', `/v1/queues/${sleeping}`, { body: { enabled: true } });
    const after = await createEvent({ metadata: { marker } });
    for (const id of [late, sleeping]) {
      await arrives(id, after);
      expect(await idsIn(id)).toEqual([after]);
    }
  });

  it('marks an event as done and reopens it', async () => {
    const [one, other] = [await createEvent(), await createEvent()];
    const queue = await createQueue([], { event_ids: [one, other] });
    const setDone = (done: boolean) =>
      client.call('PUT', `/v1/queues/${queue}/events/${one}`, { body: { done } });
    expect((await setDone(true)).json()).toMatchObject({
      event_id: one,
      done: true,
      done_at: expect.any(String) as string,
    });
    expect((await page(queue, '?done=true')).events.map(({ event_id }) => event_id)).toEqual([one]);
    expect((await page(queue, '?done=false')).events.map(({ event_id }) => event_id)).toEqual([other]);
    expect(await page(queue, '?limit=1&page=2')).toMatchObject({
      total: 2,
      events: [{ event_id: expect.any(String) as string }],
    });
    expect((await setDone(false)).json()).toMatchObject({ done: false, done_at: null });
    const nowhere = await client.call('PUT', `/v1/queues/${queue}/events/${randomUUID()}`, {
      body: { done: true },
    });
    expect(nowhere.status).toBe(404);
    expect((await client.call('GET', '/v1/queues/000000000000000000000000/events')).status).toBe(404);
  });

  const createMetric = async (name: string, more: object = {}) =>
    expect(
      (await client.post('/v1/metrics', { name, type: 'HUMAN', criteria: 'How is it?', ...more })).status,
    ).toBe(200);
  const metricsOf = async (eventId: string) => (await inStore(eventId)).events[0]?.metrics;

  it('stores the scores of a review, also repeated and concurrent ones', async () => {
    const name = `tone ${randomUUID()}`;
    await createMetric(name, { scale: 5 });
    const eventId = await createEvent({ metrics: { before: 1 } });
    const queue = await createQueue([], { event_ids: [eventId] });
    const setDone = (metrics: object, path = '/v1/queues') =>
      client.call('PUT', `${path}/${queue}/events/${eventId}`, { body: { done: true, metrics } });
    const first = await setDone({ [name]: 4, [`${name}_explanation`]: 'polite' });
    expect(first.json()).toMatchObject({ event_id: eventId, done: true });
    expect(await metricsOf(eventId)).toEqual({ before: 1, [name]: 4, [`${name}_explanation`]: 'polite' });
    expect((await setDone({ [name]: 4 }, '/queues')).json()).toEqual(first.json());
    const scores = [1, 2, 3, 4, 5];
    const responses = await Promise.all(scores.map((score) => setDone({ [name]: score })));
    for (const response of responses) expect(response.json()).toEqual(first.json());
    expect(scores).toContain(Reflect.get(Object(await metricsOf(eventId)), name));
    const { events } = await page(queue, '?done=true');
    expect(events).toMatchObject([{ event_id: eventId, done: true, event: { metrics: { before: 1 } } }]);
  });

  const next = async (queue: string, annotator: string) =>
    (await client.post(`/v1/queues/${queue}/next`, { annotator })).json<{ item: QueueEvent | null }>().item;
  const submit = (queue: string, eventId: string, body: object) =>
    client.call('PUT', `/v1/queues/${queue}/events/${eventId}`, { body });

  it('leases each event to one annotator, who completes, skips or releases it', async () => {
    const question = 'What is 2 + 2?';
    const ids = [
      await createEvent({ inputs: { question } }),
      await createEvent(),
      await createEvent(),
    ] as const;
    const queue = await createQueue([], { event_ids: ids });
    await inStore(ids[2]);
    const [first, second] = [await next(queue, 'anna'), await next(queue, 'bert')];
    expect(first).toMatchObject({
      event_id: ids[0],
      done: false,
      status: 'leased',
      lease: { annotator: 'anna', until: expect.any(String) as string },
      version: 0,
      preview: { inputs: JSON.stringify({ question }), outputs: '{}' },
      event: { inputs: { question } },
    });
    expect(second).toMatchObject({ event_id: ids[1], lease: { annotator: 'bert' } });
    const foreign = await submit(queue, ids[0], { status: 'done', annotator: 'bert', version: 0 });
    expect([foreign.status, foreign.json()]).toMatchObject([409, { errorCode: 'CONFLICT' }]);
    const done = { status: 'done', annotator: 'anna', version: 0, comment: 'correct' };
    const completed = await submit(queue, ids[0], done);
    expect(completed.json()).toMatchObject({ done: true, status: 'done', annotator: 'anna', version: 1 });
    expect((await submit(queue, ids[0], done)).json()).toEqual(completed.json());
    expect((await submit(queue, ids[0], { ...done, annotator: 'bert' })).status).toBe(409);
    await submit(queue, ids[1], { status: 'skipped', annotator: 'bert', version: 0, reason: 'no answer' });
    expect(await next(queue, 'anna')).toMatchObject({ event_id: ids[2] });
    const lease = `/v1/queues/${queue}/events/${ids[2]}/lease`;
    expect((await client.call('DELETE', `${lease}?annotator=bert`)).status).toBe(409);
    expect((await client.call('DELETE', `${lease}?annotator=anna`)).json()).toMatchObject({
      status: 'pending',
      lease: null,
    });
    await inStore(ids[0]);
    expect(await page(queue)).toMatchObject({
      total: 3,
      counts: { pending: 1, leased: 0, done: 1, skipped: 1 },
      events: [
        { status: 'done', annotator: 'anna', comment: 'correct', reason: null },
        { status: 'skipped', annotator: 'bert', comment: null, reason: 'no answer' },
        { status: 'pending', annotator: null, done_by: null, version: 0 },
      ],
    });
    expect((await page(queue, '?status=skipped')).events).toMatchObject([{ event_id: ids[1] }]);
    expect(await next(queue, 'bert')).toMatchObject({ event_id: ids[2] });
    expect(await next(queue, 'anna')).toBeNull();
    expect((await client.post('/v1/queues/000000000000000000000000/next', {})).status).toBe(404);
  });

  it('accepts scores of the metrics that the queue asks for', async () => {
    const [asked, other] = [`asked ${randomUUID()}`, `other ${randomUUID()}`] as const;
    const created = await client.post('/v1/metrics', { name: asked, type: 'HUMAN', criteria: 'c', scale: 5 });
    await createMetric(other);
    const eventId = await createEvent();
    const queue = await createQueue([], {
      event_ids: [eventId],
      metric_ids: [created.json<{ metric_id: string }>().metric_id],
    });
    const refused = await submit(queue, eventId, { done: true, metrics: { [other]: 1 } });
    expect([refused.status, refused.json<{ message: string }>().message]).toEqual([
      400,
      expect.stringContaining('is not a metric that people judge'),
    ]);
    expect((await submit(queue, eventId, { done: true, metrics: { [asked]: 4 } })).status).toBe(200);
  });

  it('offers no event that has not arrived, and counts those apart', async () => {
    const [absent, late, present] = [randomUUID(), randomUUID(), await createEvent()];
    const queue = await createQueue([], { event_ids: [absent, late, present] });
    await inStore(present);
    const counts = { pending: 1, not_arrived: 2, leased: 0, done: 0, skipped: 0 };
    expect((await page(queue)).counts).toEqual(counts);
    const statistics = await client.call('GET', `/v1/queues/${queue}/statistics`);
    expect(statistics.json()).toMatchObject({ counts });
    expect(await next(queue, 'anna')).toMatchObject({ event_id: present, event: { event_id: present } });
    expect(await next(queue, 'bert')).toBeNull();
    await createEvent({ event_id: late });
    await inStore(late);
    expect(await next(queue, 'bert')).toMatchObject({ event_id: late, event: { event_id: late } });
    expect((await page(queue)).counts).toEqual({ ...counts, pending: 0, not_arrived: 1, leased: 2 });
  });

  it('lets an annotator take a completion back while others are needed', async () => {
    const eventId = await createEvent();
    const queue = await createQueue([], { event_ids: [eventId], annotations_per_item: 2 });
    await inStore(eventId);
    expect(await next(queue, 'anna')).toMatchObject({ event_id: eventId });
    await submit(queue, eventId, { status: 'done', annotator: 'anna' });
    expect(await next(queue, 'anna')).toBeNull();
    const undone = await submit(queue, eventId, { status: 'pending', annotator: 'anna' });
    expect(undone.json()).toMatchObject({ status: 'pending', version: 2 });
    expect(await next(queue, 'anna')).toMatchObject({ event_id: eventId });
  });

  it('keeps the values of every annotator, and the last one as the score', async () => {
    const name = `tone ${randomUUID()}`;
    await createMetric(name, { scale: 5 });
    const eventId = await createEvent({ feedback: { ground_truth: '4' } });
    const queue = await createQueue([], { event_ids: [eventId] });
    const scores = { [name]: 4, [`${name}_explanation`]: 'polite' };
    await submit(queue, eventId, { done: true, annotator: 'anna', metrics: scores, comment: 'fine' });
    await submit(queue, eventId, { done: true, annotator: 'bert', metrics: { [name]: 2 } });
    const event = (await inStore(eventId)).events[0];
    expect(event).toMatchObject({ metrics: { [name]: 2, [`${name}_explanation`]: null } });
    expect(event?.feedback).toEqual({
      ground_truth: '4',
      [`${name}@anna`]: 4,
      [`${name}_explanation@anna`]: 'polite',
      [`${queue}@anna`]: { comment: 'fine', reason: null },
      [`${name}@bert`]: 2,
      [`${name}_explanation@bert`]: null,
    });
  });

  it.each([
    [
      { done: true, annotator: 'anna@example.com' },
      /^annotator must be 1 to 64 letters, digits, "_" and "-"$/,
    ],
    [{ done: true, annotator: 'x'.repeat(65) }, /^annotator /],
    [{ status: 'leased' }, /^status /],
    [{ done: true, comment: 'x'.repeat(4_001) }, /^comment must have at most 4000 characters/],
    [{ status: 'skipped', reason: 'x'.repeat(501) }, /^reason must have at most 500 characters/],
    [{ done: true, version: -1 }, /^version /],
  ])('rejects an annotation %#', async (body, message) => {
    const eventId = randomUUID();
    const queue = await createQueue([], { event_ids: [eventId] });
    const response = await submit(queue, eventId, body);
    expect([response.status, response.json<{ message: string }>().message]).toEqual([
      400,
      expect.stringMatching(message),
    ]);
  });

  it('rejects a score that the metric does not allow and leaves the event open', async () => {
    const [stars, good, tone, code] = ['stars', 'good', 'tone', 'code'].map(
      (name) => `${name} ${randomUUID()}`,
    ) as [string, string, string, string];
    await createMetric(stars, { scale: 5 });
    await createMetric(good, { return_type: 'boolean' });
    await createMetric(tone, { return_type: 'categorical', categories: [{ category: 'kind', score: 1 }] });
    await createMetric(code, { type: 'PYTHON', criteria: 'def f(event): return 1' });
    const eventId = await createEvent();
    const queue = await createQueue([], { event_ids: [eventId] });
    const bad: [object, string][] = [
      [{ [stars]: 6 }, 'must be from 1 to 5'],
      [{ [stars]: '5' }, 'must be a finite number'],
      [{ [stars]: 5, [good]: 1 }, 'must be true or false'],
      [{ [tone]: 'rude' }, 'must be one of the categories'],
      [{ [code]: 1 }, 'is not a metric that people judge'],
      [{ absent: 1 }, 'is not a metric that people judge'],
    ];
    for (const [metrics, message] of bad) {
      const response = await client.call('PUT', `/v1/queues/${queue}/events/${eventId}`, {
        body: { done: true, metrics },
      });
      expect([response.status, response.json<{ message: string }>().message]).toEqual([
        400,
        expect.stringContaining(message),
      ]);
    }
    for (const body of [{}, { done: 'yes' }, { done: true, metrics: [] }, { done: true, metrics: 'x' }]) {
      expect((await client.call('PUT', `/v1/queues/${queue}/events/${eventId}`, { body })).status).toBe(400);
    }
    expect(await metricsOf(eventId)).toEqual({});
    expect((await page(queue)).events).toMatchObject([{ done: false }]);
  });

  it('rejects scores for deleted events and for events that are not in the queue', async () => {
    const name = `score ${randomUUID()}`;
    await createMetric(name);
    const eventId = await createEvent();
    const queue = await createQueue([], { event_ids: [eventId] });
    const setDone = (id: string) =>
      client.call('PUT', `/v1/queues/${queue}/events/${id}`, {
        body: { done: true, metrics: { [name]: 1 } },
      });
    expect((await setDone(randomUUID())).status).toBe(404);
    await client.call('DELETE', `/v1/events/${eventId}`);
    await waitFor('the delete is stored', async () => (await inStore(eventId)).count === 0, {
      withinMs: 120_000,
    });
    expect((await setDone(eventId)).status).toBe(404);
  });

  it('says of every route below a deleted queue that the queue is not found', async () => {
    const name = `score ${randomUUID()}`;
    await createMetric(name);
    const eventId = await createEvent();
    const queue = await createQueue([], { event_ids: [eventId] });
    await client.call('DELETE', `/v1/queues/${queue}`);
    const [path, event] = [`/v1/queues/${queue}`, `/v1/queues/${queue}/events/${eventId}`];
    for (const [method, route, body] of [
      ['GET', path],
      ['PUT', path, { description: 'late' }],
      ['DELETE', path],
      ['GET', `${path}/events`],
      ['GET', `${path}/statistics`],
      ['POST', `${path}/next`, { annotator: 'anna' }],
      ['POST', `${path}/backfill`, {}],
      ['PUT', event, { done: true }],
      ['PUT', event, { done: true, metrics: { [name]: 4 } }],
      ['PUT', event, { done: true, metrics: { [name]: 4 }, annotator: 'anna', comment: 'late' }],
      ['DELETE', `${event}/lease?annotator=anna`],
    ] as const) {
      const response = await client.call(method, route, { body });
      const { message } = response.json<{ message: string }>();
      expect([method, route, response.status, message]).toEqual([method, route, 404, 'queue not found']);
    }
  });

  it('does not add an event again after a user has removed it', async () => {
    const marker = randomUUID();
    const queue = await createQueue([
      { field: 'metadata.marker', operator: 'is', value: marker, type: 'string' },
    ]);
    const removed = await createEvent({ metadata: { marker } });
    await arrives(queue, removed);
    await client.call('PUT', `/v1/queues/${queue}`, { body: { remove_event_ids: [removed] } });
    await client.call('PUT', `/v1/events/${removed}`, { body: { metrics: { seen: 1 } } });
    const last = await createEvent({ metadata: { marker } });
    await arrives(queue, last);
    expect((await client.post(`/v1/queues/${queue}/backfill`, {})).json()).toMatchObject({ matched: 2 });
    expect(await idsIn(queue)).toEqual([last]);
    await client.call('PUT', `/v1/queues/${queue}`, { body: { add_event_ids: [removed] } });
    expect(await idsIn(queue)).toEqual([last, removed]);
  });

  it('adds stored events on request', async () => {
    const marker = randomUUID();
    const stored = [await createEvent({ metadata: { marker } }), await createEvent({ metadata: { marker } })];
    await createEvent();
    await inStore(stored[1]!);
    const queue = await createQueue([
      { field: 'metadata.marker', operator: 'is', value: marker, type: 'string' },
      { field: 'inputs.question', operator: 'exists', value: null, type: 'string' },
    ]);
    const backfill = (id: string) => client.post(`/v1/queues/${id}/backfill`, {});
    for (let time = 0; time < 2; time++) {
      const response = (await backfill(queue)).json<{ job_id: string }>();
      expect(response).toMatchObject({ matched: 2, complete: true });
      const { job } = (await client.call('GET', `/v1/jobs/${response.job_id}`)).json<{ job: object }>();
      expect(job).toMatchObject({ kind: 'backfill', queue_id: queue, state: 'completed' });
      expect(job).toMatchObject({ counts: { matched: 2 } });
    }
    expect((await idsIn(queue)).sort()).toEqual([...stored].sort());
    expect((await backfill(await createQueue([]))).status).toBe(400);
    expect((await backfill('000000000000000000000000')).status).toBe(404);
  });

  it('removes a deleted event from its queues', async () => {
    const marker = randomUUID();
    const queue = await createQueue([
      { field: 'metadata.marker', operator: 'is', value: marker, type: 'string' },
    ]);
    const [deleted, stays] = [
      await createEvent({ metadata: { marker } }),
      await createEvent({ metadata: { marker } }),
    ];
    for (const id of [deleted, stays]) await arrives(queue, id);
    await client.call('DELETE', `/v1/events/${deleted}`);
    await waitFor('the event has left', async () => !(await idsIn(queue)).includes(deleted), {
      withinMs: 120_000,
    });
    expect(await idsIn(queue)).toEqual([stays]);
  });
  return started;
}
