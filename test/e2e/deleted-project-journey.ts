import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@assay/testing';
import { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import { readMetrics } from '../harness/stack/read-metrics.js';
import type { Stack } from '../harness/stack/stack.js';

/** Settings of the process that stores events. */
export const FREQUENT_CHECKS = { DELETED_PROJECT_CHECK_SECONDS: '1' };
const EVENTS = 40;
const WITHIN = { withinMs: 240_000 };

/** Deleting a project removes its events. `storing` is the service that stores events. */
export function deletedProjectJourney(start: () => Promise<Stack>, storing: string): void {
  const { stack, client } = onStack(start);

  async function aProject(): Promise<{ id: string; name: string; client: Client }> {
    const name = randomUUID();
    const made = await client.post('/v1/projects', { name }, { key: stack.adminToken });
    const { id, api_key } = made.json<{ id: string; api_key: string }>();
    return { id, name, client: new Client(stack, api_key) };
  }
  async function send(to: Client): Promise<void> {
    const events = Array.from({ length: EVENTS }, () => ({ event_type: 'tool', inputs: { q: 1 } }));
    expect((await to.post('/v1/events/batch', { events })).status).toBe(200);
    expect((await to.search({ filters: [] })).count).toBeGreaterThanOrEqual(EVENTS);
  }
  const remove = (name: string) =>
    client.call('DELETE', `/v1/projects?name=${name}`, { key: stack.adminToken });
  const removals = (id: string) =>
    readFileSync(join(stack.dir, `${storing}.log`), 'utf8')
      .split('\n')
      .filter((line) => line.includes('removed the events of a deleted project') && line.includes(id))
      .map((line) => JSON.parse(line) as { rows: number });

  async function hasRemovedAll(): Promise<boolean> {
    const metrics = await readMetrics(stack.adminUrl(storing));
    return metrics.includes('\nassay_deleted_projects_pending 0\n');
  }

  it('removes the events of the project from the event store, and those of no other', async () => {
    const [removed, other] = [await aProject(), await aProject()];
    await send(removed.client);
    await send(other.client);
    await remove(removed.name);
    await waitFor('the events are removed', () => removals(removed.id).length > 0, WITHIN);
    expect(removals(removed.id)[0]?.rows).toBeGreaterThanOrEqual(2 * EVENTS);
    expect(await hasRemovedAll()).toBe(true);
    expect((await other.client.search({ filters: [] })).count).toBeGreaterThanOrEqual(EVENTS);
    expect(removals(other.id)).toEqual([]);
  });

  it('removes them although the process that stores events is killed meanwhile', async () => {
    const projects = await Promise.all(Array.from({ length: 4 }, () => aProject()));
    const last = await aProject();
    for (const project of [...projects, last]) await send(project.client);
    for (const { name } of projects) await remove(name);
    await stack.kill(storing);
    await stack.start(storing);
    // The process may be killed after it has removed events, before it says so. The next one counts all that are left with the last project.
    await remove(last.name);
    const isComplete = async () => removals(last.id).length > 0 && (await hasRemovedAll());
    await waitFor('all are removed', isComplete, WITHIN);
  });
}
