import { randomUUID } from 'node:crypto';
import { waitFor } from '@assay/testing';
import { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import { readMetrics } from '../harness/stack/read-metrics.js';
import type { Stack } from '../harness/stack/stack.js';

const DAY = 86_400_000;
/** Settings of the process that stores events. */
export const FREQUENT_LOOKS = { EXPIRED_EVENT_CHECK_SECONDS: '1' };
const WITHIN = { withinMs: 120_000, pollIntervalMs: 500 };
const PER_REQUEST = 500;

interface TestedProject {
  readonly id: string;
  readonly name: string;
  readonly client: Client;
}

/** Events leave every read when their retention is over. `storing` is the service that stores events, and `days` the default of the installation. */
export function retentionJourney(start: () => Promise<Stack>, storing: string, days: number): void {
  const { stack, client } = onStack(start);

  const sessionId = randomUUID();

  async function aProject(fields: object): Promise<TestedProject> {
    const name = randomUUID();
    const made = await client.post('/v1/projects', { name, ...fields }, { key: stack.adminToken });
    const { id, api_key } = made.json<{ id: string; api_key: string }>();
    return { id, name, client: new Client(stack, api_key) };
  }
  const event = (ageDays: number, fields: object = {}) => ({
    session_id: sessionId,
    ...{ event_id: randomUUID(), event_type: 'tool', inputs: {} },
    start_time: Date.now() - ageDays * DAY,
    ...fields,
  });
  async function send({ client: to }: TestedProject, events: readonly object[]): Promise<void> {
    for (let from = 0; from < events.length; from += PER_REQUEST) {
      const body = { events: events.slice(from, from + PER_REQUEST) };
      const { status, text } = await to.post('/v1/events/batch', body);
      expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    }
  }
  const count = async ({ client: of }: TestedProject) => (await of.search({ filters: [], limit: 1 })).count;
  const put = (body: object) => client.call('PUT', '/v1/projects', { body, key: stack.adminToken });

  it('leave every read of their project, by type, with the summary of their session, and of no other project', async () => {
    const canary = `canary${randomUUID()}`;
    const [project, other] = [await aProject({}), await aProject({ retention: { default: null } })];
    const session = randomUUID();
    const values = { inputs: { q: canary }, metadata: { note: canary }, session_id: session };
    const old = event(9, { event_name: canary, ...values });
    const kept = event(9, { session_id: session, event_type: 'chain' });
    const young = event(0.5);
    await send(other, [event(9), event(9)]);
    await send(project, [old, kept, young]);
    const filter = { field: 'event_type', operator: 'is', type: 'string', value: 'tool' };
    const queue = await project.client.post('/v1/queues', {
      name: 'q',
      event_ids: [old.event_id, young.event_id],
    });
    const { id: queueId } = queue.json<{ queue: { id: string } }>().queue;
    await project.client.post('/v1/charts', { name: 'c', metric: 'count', query: [filter] });
    const changed = await put({ name: project.name, retention: { default: 7, chain: 30 } });
    expect(changed.json()).toMatchObject({ retention: { default: 7, chain: 30 } });
    await waitFor('the event is expired', async () => (await count(project)) <= 3, WITHIN);

    const deleted = await project.client.call('GET', `/v1/events/${old.event_id}`);
    expect(deleted.status).toBe(404);
    const paths = [
      `/v1/sessions/${session}`,
      `/v1/sessions/${session}/tree`,
      '/v1/sessions?limit=100',
      `/v1/queues/${queueId}`,
      `/v1/queues/${queueId}/events?limit=100`,
      `/v1/events/${kept.event_id}`,
      `/v1/events/schema`,
    ];
    for (const path of paths) {
      const { text } = await project.client.call('GET', path);
      expect([path, text.includes(canary), text.includes(old.event_id)]).toEqual([path, false, false]);
    }
    const exported = await project.client.post('/v1/events/export', { filters: [], limit: 100 });
    expect(exported.text).not.toContain(canary);
    const { events } = await project.client.search({ filters: [], limit: 100 });
    const ids = events.map(({ event_id }) => event_id);
    expect(ids).toEqual(expect.arrayContaining([kept.event_id, young.event_id]));
    expect(ids).not.toContain(old.event_id);
    expect(await count(other)).toBeGreaterThanOrEqual(2);
  });

  it('leave although the process that stores them is killed meanwhile, beside those that are kept', async () => {
    const [project, other] = [await aProject({}), await aProject({ retention: { default: null } })];
    const run = randomUUID();
    await project.client.post('/v1/runs', { name: 'r', run_id: run });
    const old = Array.from({ length: 6_000 }, (_, index) => event(9 + index / 10_000));
    const named = Array.from({ length: 3 }, () => event(9, { metadata: { run_id: run } }));
    const young = Array.from({ length: 3 }, () => event(1));
    const ofOther = Array.from({ length: 20 }, () => event(9));
    await send(other, ofOther);
    await send(project, [...old, ...named, ...young]);
    const ofTools = {
      filters: [{ field: 'event_type', operator: 'is', type: 'string', value: 'tool' }],
      limit: 1,
    };
    const tools = async (of: TestedProject) => (await of.client.search(ofTools)).count;
    await put({ name: project.name, retention: { default: 7 }, keep_referenced: true });
    await waitFor('some are expired', async () => (await tools(project)) < 6_006, WITHIN);
    await stack.kill(storing);
    await stack.start(storing);
    await waitFor('all others are expired', async () => (await tools(project)) === 6, WITHIN);
    expect(await tools(other)).toBe(20);
    const { events } = await project.client.search({ ...ofTools, limit: 10 });
    const wanted = [...named, ...young].map(({ event_id }) => event_id);
    expect(events.map(({ event_id }) => String(event_id)).sort()).toEqual(wanted.sort());
    await project.client.call('DELETE', `/v1/runs/${run}`);
    await waitFor('nothing keeps the events of the run', async () => (await tools(project)) === 3, WITHIN);
  });

  it('leave after the days of the installation where a project has none, and arrive late without staying', async () => {
    const [project, kept] = [await aProject({}), await aProject({ retention: { default: days + 2 } })];
    const late = event(days + 1);
    await send(kept, [late]);
    await send(project, [event(days + 1), event(days - 1)]);
    const ofTools = async ({ client: of }: TestedProject) => {
      const filters = [{ field: 'event_type', operator: 'is', type: 'string', value: 'tool' }];
      return (await of.search({ filters, limit: 1 })).count;
    };
    await waitFor('the event is expired', async () => (await ofTools(project)) === 1, WITHIN);
    await send(project, [event(days + 5)]);
    await waitFor('the late event is expired', async () => (await ofTools(project)) === 1, WITHIN);
    expect(await ofTools(kept)).toBe(1);
    const metrics = await readMetrics(stack.adminUrl(storing));
    expect(metrics).toMatch(/assay_expired_events_total [1-9]/);
    expect(metrics).toMatch(/assay_expiry_age_seconds \d/);
  });
}
