import { randomUUID } from 'node:crypto';
import { waitFor } from '@assay/testing';
import { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import type { Stack } from '../harness/stack/stack.js';

const WITHIN = { withinMs: 120_000, pollIntervalMs: 200 };
const OF_TOOLS = { field: 'event_type', operator: 'is', value: 'tool' };
const GONE = ['deleted', 'erased', 'verified'];

interface Receipt {
  readonly state: string;
  readonly matched: number;
  readonly control_plane: boolean;
}

/** Deletions by filters. `storing` is the service that stores events. */
export function deletionJourney(start: () => Promise<Stack>, storing: string): void {
  const { stack, client } = onStack(start);

  async function aProject() {
    const name = randomUUID();
    const made = await client.post('/v1/projects', { name }, { key: stack.adminToken });
    const { id, api_key } = made.json<{ id: string; api_key: string }>();
    const keyWith = async (permissions: readonly string[]) => {
      const path = `/v1/projects/${id}/fine_grained_api_keys`;
      const key = await client.post(path, { name: randomUUID(), permissions }, { key: api_key });
      return key.json<{ data: { key_value: string } }>().data.key_value;
    };
    return { id, keyWith, client: new Client(stack, api_key) };
  }
  type Project = Awaited<ReturnType<typeof aProject>>;

  const ofUser = (user: string) => [{ field: 'user_properties.user_id', operator: 'is', value: user }];
  const sessionId = randomUUID();
  const eventOf = (fields: object = {}) => ({
    session_id: sessionId,
    event_id: randomUUID(),
    event_type: 'tool',
    inputs: {},
    ...fields,
  });
  async function send({ client: to }: Project, events: readonly object[]): Promise<void> {
    for (let from = 0; from < events.length; from += 500) {
      const sent = await to.post('/v1/events/batch', { events: events.slice(from, from + 500) });
      expect(sent.status).toBe(200);
    }
  }
  const idsOf = async ({ client: of }: Project) =>
    (await of.search({ filters: [OF_TOOLS], limit: 1_000 })).events.map(({ event_id }) => event_id);
  const receiptOf = async ({ client: of }: Project, id: string) => {
    const read = await of.call('GET', `/v1/deletions/${id}`);
    return { status: read.status, text: read.text, ...read.json<{ deletion: Receipt }>().deletion };
  };
  const isGone = (project: Project, id: string) =>
    waitFor('the events are gone', async () => GONE.includes((await receiptOf(project, id)).state), WITHIN);

  it('leave every read and the audit trail has them, without a value', async () => {
    const [project, other] = [await aProject(), await aProject()];
    const user = `canary${randomUUID()}`;
    const mine = eventOf({ inputs: { q: user }, event_name: user, user_properties: { user_id: user } });
    const kept = eventOf();
    await send(other, [eventOf({ user_properties: { user_id: user } })]);
    await send(project, [mine, kept]);
    expect(await idsOf(project)).toHaveLength(2);
    const queue = await project.client.post('/v1/queues', {
      name: 'q',
      event_ids: [mine.event_id, kept.event_id],
    });
    const { id: queueId } = queue.json<{ queue: { id: string } }>().queue;

    const dry = await project.client.post('/v1/deletions', { filters: ofUser(user), dry_run: true });
    expect(dry.json()).toEqual({ id: null, count: 1, sessions: 0, matches_all: false });
    const made = await project.client.post('/v1/deletions', { filters: ofUser(user) });
    const { id } = made.json<{ id: string }>();
    await isGone(project, id);
    expect(await idsOf(project)).toEqual([kept.event_id]);
    expect(await idsOf(other)).toHaveLength(1);
    const receipt = await receiptOf(project, id);
    expect(receipt).toMatchObject({ matched: 1, control_plane: true });
    const reads = ['/v1/sessions?limit=100', `/v1/queues/${queueId}/events?limit=100`, `/v1/deletions/${id}`];
    for (const path of reads) {
      const { text } = await project.client.call('GET', path);
      expect([path, text.includes(user), text.includes(mine.event_id)]).toEqual([path, false, false]);
    }
    const trail = await client.call(
      'GET',
      `/v1/audit-entries?project_id=${project.id}&action=deletion.started`,
      {
        key: stack.adminToken,
      },
    );
    expect(trail.json<{ entries: object[] }>().entries).toMatchObject([
      { actor: 'key', subject_id: id, fields: ['filters', 'dateRange'] },
    ]);
    expect(trail.text).not.toContain(user);
    expect((await other.client.call('GET', `/v1/deletions/${id}`)).status).toBe(404);
  });

  it('need a key that may delete', async () => {
    const project = await aProject();
    const body = { filters: ofUser('nobody') };
    const reader = await project.keyWith(['events:read']);
    const refused = await project.client.post('/v1/deletions', body, { key: reader });
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('events:delete')]);
    const deleter = await project.keyWith(['events:delete']);
    const made = await project.client.post('/v1/deletions', body, { key: deleter });
    expect(made.status).toBe(200);
    const { id } = made.json<{ id: string }>();
    const read = await project.client.call('GET', `/v1/deletions/${id}`, { key: reader });
    expect(read.status).toBe(200);
  });

  it('continue although the process that stores events is killed', async () => {
    const project = await aProject();
    const mine = () => eventOf({ user_properties: { user_id: 'u' }, start_time: Date.now() - 60_000 });
    const kept = eventOf();
    await send(project, [...Array.from({ length: 1_200 }, mine), kept]);
    const body = { filters: ofUser('u') };
    await project.client.search({ filters: [], limit: 1 });
    const { id } = (await project.client.post('/v1/deletions', body)).json<{ id: string }>();
    await waitFor('it has begun', async () => (await receiptOf(project, id)).matched > 0, {
      ...WITHIN,
      pollIntervalMs: 20,
    });
    await stack.kill(storing);
    await stack.start(storing);
    await isGone(project, id);
    expect(await idsOf(project)).toEqual([kept.event_id]);
    expect((await receiptOf(project, id)).matched).toBeGreaterThanOrEqual(1_200);
  });
}
