import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StatusResponse } from '@assay/contracts';
import { loadConfig } from '@assay/runtime';
import { standaloneSettings } from '@assay/standalone';
import { waitFor } from '@assay/testing';
import { onStack } from '../harness/stack/on-stack.js';
import { readMetrics } from '../harness/stack/read-metrics.js';
import { repository } from '../harness/stack/repository.js';
import { startStandalone } from '../harness/stack/start-standalone.js';

const MIB = 1024 ** 2;
const MAX_STORE_BYTES = 64 * MIB;
const EVENTS = 100;
const HOUR = 3_600_000;
const WITHIN = { withinMs: 240_000, pollIntervalMs: 500 };

const REFUSAL = 'MAX_STORE_BYTES must be an integer from 67108864 to 1125899906842624';

it('MAX_STORE_BYTES=67108863 ends the start with 78', () => {
  const program = join(repository, 'deploy/standalone/dist/main.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, MAX_STORE_BYTES: '67108863' },
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([78, '']);
  expect(stderr).toContain(REFUSAL);
});

it.each(['1000', '67108863', '-1', '64m', '0', '1e9'])('MAX_STORE_BYTES=%s is refused', (value) => {
  expect(() => loadConfig(standaloneSettings, {})).not.toThrow();
  expect(() => loadConfig(standaloneSettings, { MAX_STORE_BYTES: value })).toThrow(REFUSAL);
});

describe('a standalone process with MAX_STORE_BYTES', () => {
  const { stack, client } = onStack(() => startStandalone({ MAX_STORE_BYTES: String(MAX_STORE_BYTES) }));

  const now = Date.now();
  /** 100 MiB of random bytes, one event an hour, the oldest first. */
  const events = Array.from({ length: EVENTS }, (_, index) => ({
    ...{ event_id: randomUUID(), event_type: 'tool', session_id: randomUUID() },
    start_time: now - (EVENTS - index) * HOUR,
  }));
  const status = async () => {
    const { store } = (await client.call('GET', '/v1/status')).json<StatusResponse>();
    if (store === null) throw new Error('no limit');
    return store;
  };
  const ids = async () => {
    const query = { filters: [], limit: 1_000, projections: ['event_id', 'event_type'] };
    const exported = await client.post('/v1/events/export', query);
    expect([exported.status, exported.status === 200 ? '' : exported.text]).toEqual([200, '']);
    return exported
      .json<{ events: { event_id: string; event_type: string }[] }>()
      .events.filter(({ event_type }) => event_type === 'tool')
      .map(({ event_id }) => event_id)
      .sort();
  };

  it('keeps the newest events, drops the oldest and says so, over a kill', async () => {
    for (const event of events) {
      // Media would leave the disk some minutes after their events.
      const inputs = { filler: `- ${randomBytes(MIB).toString('base64')}` };
      expect((await client.post('/v1/events', { ...event, inputs })).status).toBe(200);
    }
    await waitFor('some are dropped', async () => (await status()).dropped_events > 0, WITHIN);
    await stack.kill('standalone');
    await stack.start('standalone');
    const isBelow = async () => {
      const { bytes } = await status();
      return bytes > 0 && bytes <= MAX_STORE_BYTES;
    };
    await waitFor('the store is below its limit', isBelow, WITHIN);
    const left = await ids();
    expect(left.length).toBeGreaterThan(EVENTS / 3);
    expect(left.length).toBeLessThan(EVENTS);
    expect(left).toEqual(
      events
        .slice(-left.length)
        .map(({ event_id }) => event_id)
        .sort(),
    );
    const oldest = await client.call('GET', `/v1/events/${events[0]?.event_id}`);
    expect(oldest.status).toBe(404);
    const metrics = await readMetrics(stack.adminUrl('standalone'));
    expect(metrics).toContain(`assay_store_max_bytes ${MAX_STORE_BYTES}\n`);
    expect(metrics).toMatch(/assay_store_bytes [1-9]/);
    expect(metrics).toMatch(/assay_dropped_events_total \d/);
  });
});
