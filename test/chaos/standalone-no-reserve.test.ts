import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { waitFor } from '@assay/testing';
import { mountSmallDisk } from '../harness/disk/small-disk.js';
import { Client, type ApiResponse } from '../harness/stack/client.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import type { Stack } from '../harness/stack/stack.js';

/** Writes are accepted again within this time after space was freed. */
const ACCEPTED_WITHIN = { withinMs: 60_000 };
/** An event that fits into no remainder of a file, and does not compress. */
const EVENT_BYTES = 256 * 1024;

describe('the standalone process on a full disk without a reserve (MIN_FREE_DISK=0)', () => {
  const disk = mountSmallDisk(256);
  const onSmallDisk = disk.isMounted ? it : it.skip;
  const acknowledged: string[] = [];
  let stack: Stack;
  let client: Client;
  beforeAll(async () => {
    if (!disk.isMounted) return;
    stack = await startStandalone({ ASSAY_DATA_DIR: join(disk.dir, 'data'), MIN_FREE_DISK: '0' });
    client = new Client(stack);
  });
  afterAll(async () => {
    disk.free();
    expect(await stack?.stop()).not.toBe(false);
    disk.remove();
  });
  if (!disk.isMounted) process.stderr.write('no small file system: this process may not mount one\n');

  const write = async (): Promise<ApiResponse> => {
    const inputs = { text: randomBytes(EVENT_BYTES / 2).toString('hex') };
    const response = await client.post('/v1/events', { event_type: 'tool', inputs });
    if (response.status === 200) acknowledged.push(response.json<{ event_id: string }>().event_id);
    return response;
  };
  const sendTraces = () => {
    const value = { stringValue: randomBytes(EVENT_BYTES / 2).toString('hex') };
    const ids = { traceId: randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex') };
    const span = { ...ids, name: 'a', attributes: [{ key: 'a', value }] };
    return client.post('/opentelemetry/v1/traces', { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  };
  const expectRefused = (response: ApiResponse, statuses: readonly number[]) => {
    expect(statuses).toContain(response.status);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  };
  const find = (id: string, headers: Record<string, string> = {}) =>
    client.call('GET', `/v1/events/${id}`, { headers });

  async function storedEvent(): Promise<string> {
    await waitFor('a write is accepted', async () => (await write()).status === 200, ACCEPTED_WITHIN);
    const id = acknowledged.at(-1)!;
    expect((await find(id, { prefer: 'wait=30' })).status).toBe(200);
    return id;
  }
  async function expectFullDisk(storedId: string): Promise<void> {
    await waitFor('writes are refused', async () => [503, 507].includes((await write()).status));
    for (let time = 0; time < 3; time++) {
      expectRefused(await write(), [503, 507]);
      expectRefused(await sendTraces(), [503]);
    }
    expect((await find(storedId)).status).toBe(200);
    expect((await client.post('/v1/events/search', { filters: [] })).status).toBe(200);
    expect((await client.call('GET', '/v1/datasets')).status).toBe(200);
  }
  async function expectRecovery(): Promise<void> {
    disk.free();
    await storedEvent();
    await waitFor('traces are accepted', async () => (await sendTraces()).status === 200, ACCEPTED_WITHIN);
    for (const id of acknowledged) expect((await find(id)).status).toBe(200);
  }

  onSmallDisk('refuses writes, serves reads, and accepts writes after space was freed', async () => {
    const id = await storedEvent();
    disk.fill();
    await expectFullDisk(id);
    await expectRecovery();
  });

  onSmallDisk('starts on the full disk after a kill, with the same behaviour', async () => {
    const id = await storedEvent();
    disk.fill();
    await stack.kill('standalone');
    disk.fill();
    await stack.start('standalone');
    await expectFullDisk(id);
    await expectRecovery();
  });
});
