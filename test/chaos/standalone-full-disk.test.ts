import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { waitFor } from '@assay/testing';
import { mountSmallDisk } from '../harness/disk/small-disk.js';
import { Client } from '../harness/stack/client.js';
import { readMetrics } from '../harness/stack/read-metrics.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import type { Stack } from '../harness/stack/stack.js';

interface Inserted {
  readonly result: { readonly insertedId: string };
}

const MIB = 1024 * 1024;
/** DELETE requests that a project may send while the disk is full, and those of the test at a time. */
const [MAX_DELETES, AT_A_TIME] = [10_000, 50];
/** Writes are accepted again within this time after space was freed. */
const ACCEPTED_WITHIN_MS = 60_000;

describe('the standalone process on a full disk', () => {
  const disk = mountSmallDisk(256);
  let stack: Stack;
  let client: Client;
  beforeAll(async () => {
    if (!disk.isMounted) return;
    stack = await startStandalone({
      ASSAY_DATA_DIR: join(disk.dir, 'data'),
      MIN_FREE_DISK: String(32 * MIB),
      DELETED_PROJECT_CHECK_SECONDS: '1',
    });
    client = new Client(stack);
  });
  afterAll(async () => {
    expect(await stack?.stop()).not.toBe(false);
    disk.remove();
  });
  if (!disk.isMounted) process.stderr.write('no small file system: this process may not mount one\n');
  const onSmallDisk = disk.isMounted ? it : it.skip;

  const write = () => client.post('/v1/events', { event_type: 'tool', event_name: 'a', inputs: {} });
  const idOf = async () => {
    const response = await write();
    expect(response.status).toBe(200);
    return response.json<{ event_id: string }>().event_id;
  };
  const sendTraces = () =>
    client.call('POST', '/opentelemetry/v1/traces', {
      bytes: '{"resourceSpans":[]}',
      headers: { 'content-type': 'application/json' },
    });
  const metric = async (name: string) => {
    const text = await readMetrics(stack.adminUrl('standalone'));
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  const freeBytes = () => metric('assay_disk_free_bytes');
  const removedRows = () => metric('assay_deleted_project_rows_removed_total');

  const expectRefusedWrites = async (storedId: string) => {
    await waitFor('writes are refused', async () => (await write()).status === 507);
    for (const refused of [await write(), await client.call('DELETE', `/v1/events/${storedId}`)]) {
      expect(refused.status).toBe(507);
      expect(refused.json()).toMatchObject({ errorCode: 'INSUFFICIENT_STORAGE' });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const traces = await sendTraces();
    expect(traces.status).toBe(503);
    expect(Number(traces.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await client.post('/v1/datasets', { name: randomUUID() })).status).toBe(507);
    expect(await freeBytes()).toBeLessThan(32 * MIB);
  };
  const expectReads = async (storedId: string) => {
    expect((await client.call('GET', `/v1/events/${storedId}`)).status).toBe(200);
    expect((await client.post('/v1/events/search', { filters: [] })).status).toBe(200);
    expect((await client.call('GET', '/v1/datasets')).status).toBe(200);
  };
  const storedId = async () => {
    const id = await idOf();
    const found = await client.call('GET', `/v1/events/${id}`, { headers: { prefer: 'wait=30' } });
    expect(found.status).toBe(200);
    return id;
  };
  const statusOf = async (id: string) => (await client.call('GET', `/v1/events/${id}`)).status;
  /** Returns a function that says whether the control plane has followed, which it may do only after space was freed. */
  const deleteByFilters = async (eventId: string) => {
    const body = { filters: [{ field: 'event_id', operator: 'is', value: eventId }] };
    const made = await client.post('/v1/deletions', body);
    expect([made.status, made.text]).toEqual([200, expect.stringContaining('"count":1')]);
    await waitFor('it is gone', async () => (await statusOf(eventId)) === 404, { withinMs: 60_000 });
    const path = `/v1/deletions/${made.json<{ id: string }>().id}`;
    return async () =>
      (await client.call('GET', path)).json<{ deletion: { control_plane: boolean } }>().deletion
        .control_plane;
  };
  /** Returns the statuses of more deletes of a project than it may send while the disk is full. */
  const deleteMany = async ({ id, api_key: key }: { id: string; api_key: string }) => {
    const path = `/v1/projects/${id}/charts/65c13dbbd65fb876b7886cdb`;
    const statuses = new Set<number>();
    for (let sent = 0; sent <= MAX_DELETES; sent += AT_A_TIME) {
      const calls = Array.from({ length: AT_A_TIME }, () => client.call('DELETE', path, { key }));
      for (const { status } of await Promise.all(calls)) statuses.add(status);
    }
    return [...statuses].sort();
  };
  const expectAcceptedWrites = async () => {
    await waitFor('writes are accepted', async () => (await write()).status === 200, {
      withinMs: ACCEPTED_WITHIN_MS,
    });
    expect((await sendTraces()).status).toBe(200);
    const id = await idOf();
    const found = await client.call('GET', `/v1/events/${id}`, { headers: { prefer: 'wait=30' } });
    expect(found.status).toBe(200);
  };

  onSmallDisk('refuses writes, serves reads, and accepts writes after space was freed', async () => {
    const id = await idOf();
    expect((await client.call('GET', `/v1/events/${id}`, { headers: { prefer: 'wait=30' } })).status).toBe(
      200,
    );
    disk.fill();
    await expectRefusedWrites(id);
    await expectReads(id);
    disk.free();
    await expectAcceptedWrites();
  });

  onSmallDisk(
    'deletes within the reserve, which refuses other writes, until a quarter of it is left',
    async () => {
      const [event, kept, filtered] = [await storedId(), await storedId(), await storedId()];
      const dataset = (await client.post('/v1/datasets', { name: randomUUID() })).json<Inserted>();
      const name = randomUUID();
      const project = await client.post('/v1/projects', { name }, { key: stack.adminToken });
      const { api_key: key } = project.json<{ api_key: string }>();
      const loud = await client.post('/v1/projects', { name: randomUUID() }, { key: stack.adminToken });
      expect((await client.post('/v1/events', { event_type: 'tool', inputs: {} }, { key })).status).toBe(200);
      disk.fill(20 * MIB);
      await waitFor('writes are refused', async () => (await write()).status === 507);
      expect((await client.call('DELETE', `/v1/events/${event}`)).status).toBe(200);
      await waitFor('the event is gone', async () => (await statusOf(event)) === 404);
      const isForwarded = await deleteByFilters(filtered);
      const ofDataset = `/v1/datasets?dataset_id=${dataset.result.insertedId}`;
      expect((await client.call('DELETE', ofDataset)).status).toBe(200);
      const removed = await client.call('DELETE', `/v1/projects?name=${name}`, { key: stack.adminToken });
      expect(removed.status).toBe(200);
      await waitFor('the events of the project are removed', async () => (await removedRows()) > 0);
      expect((await write()).status).toBe(507);
      expect(await deleteMany(loud.json<{ id: string; api_key: string }>())).toEqual([404, 507]);
      expect((await client.call('DELETE', `/v1/events/${randomUUID()}`)).status).not.toBe(507);
      disk.fill();
      await waitFor('deletions by filters are refused', async () => {
        const filters = [{ field: 'event_id', operator: 'is', value: randomUUID() }];
        return (await client.post('/v1/deletions', { filters })).status === 507;
      });
      await waitFor('deletes are refused', async () => {
        const refused = await client.call('DELETE', `/v1/events/${kept}`);
        return (
          refused.status === 507 &&
          refused.json<{ message: string }>().message.includes('no room for deletes')
        );
      });
      expect(await statusOf(kept)).toBe(200);
      disk.free();
      await expectAcceptedWrites();
      await waitFor('the control plane has followed', isForwarded, { withinMs: ACCEPTED_WITHIN_MS });
    },
  );

  onSmallDisk('starts on the full disk after a kill, with the same behaviour', async () => {
    const id = await idOf();
    expect((await client.call('GET', `/v1/events/${id}`, { headers: { prefer: 'wait=30' } })).status).toBe(
      200,
    );
    disk.fill();
    await stack.kill('standalone');
    disk.fill();
    await stack.start('standalone');
    await expectRefusedWrites(id);
    await expectReads(id);
    disk.free();
    await expectAcceptedWrites();
  });
});
