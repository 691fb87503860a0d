import { waitFor } from '@assay/testing';
import { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import type { Stack } from '../harness/stack/stack.js';
import { newProject } from './sources.js';

const EVENTS = 10;
const PAYLOAD_LENGTH = 1_000_000;
const WORKERS = 4;
const WRITES = 3;
/** Far above what a batch takes that writes no payload, and below what many large ones take. */
const VISIBLE_WITHIN_MS = 20_000;

/**
 * Asserts that any number of small updates of large events, which need no payload, delays no other project, and that
 * every accepted one is stored.
 */
export function describeNarrowUpdates(title: string, start: () => Promise<Stack>): void {
  describe(`a project beside one that updates narrow fields of large events ${title}`, () => {
    const { stack } = onStack(start);

    it('has its writes visible soon, and the updates are stored without the payloads', async () => {
      const updating = new Client(stack, await newProject(stack, 'updating'));
      const quiet = new Client(stack, await newProject(stack, 'quiet'));
      const ids: string[] = [];
      for (let event = 0; event < EVENTS; event++)
        ids.push(await create(updating, { text: 'x'.repeat(PAYLOAD_LENGTH) }));
      const statuses = new Set<number>();
      const accepted = new Map<string, number>();
      let [stopped, next] = [false, 0];
      const work = async () => {
        while (!stopped) {
          const score = next++;
          const id = ids[score % EVENTS] ?? '';
          const { status } = await updating.call('PUT', `/v1/events/${id}`, { body: metrics(score) });
          statuses.add(status);
          if (status === 200) accepted.set(id, (accepted.get(id) ?? 0) + 1);
        }
      };
      const updates = Promise.all(Array.from({ length: WORKERS }, work));
      for (let write = 0; write < WRITES; write++) {
        const id = await create(quiet, { write });
        const visible = async () => (await look(quiet, id)).status === 200;
        await waitFor('the write is visible', visible, { withinMs: VISIBLE_WITHIN_MS });
      }
      stopped = true;
      await updates;
      // Ingestion rejects updates of a project that are too far ahead of what is stored.
      expect([...statuses].filter((status) => status !== 503)).toEqual([200]);
      for (const id of ids) {
        const found = await look(updating, id);
        expect(found.status).toBe(200);
        const { event } = found.json<{ event: { metrics: object; inputs: { text: string } } }>();
        expect(Object.keys(event.metrics)).toHaveLength(accepted.get(id) ?? 0);
        expect(event.inputs.text).toHaveLength(PAYLOAD_LENGTH);
      }
    }, 120_000);
  });
}

function metrics(score: number): object {
  return { metrics: { [`score${score}`]: score } };
}

async function create(client: Client, inputs: object): Promise<string> {
  const response = await client.post('/v1/events', { event_type: 'tool', inputs });
  return response.json<{ event_id: string }>().event_id;
}

function look(client: Client, id: string) {
  return client.call('GET', `/v1/events/${id}`, { headers: { prefer: 'wait=30' } });
}
