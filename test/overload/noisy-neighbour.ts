import { waitFor } from '@assay/testing';
import { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import type { Stack } from '../harness/stack/stack.js';
import type { Noise, NoiseTarget } from './noise.js';
import { noiseFromProcess } from './noise-from-process.js';
import { prepareNoisyProject } from './noisy-project.js';
import { expectUndisturbed } from './quiet-project.js';
import { newProject } from './sources.js';

const WRITES = 5;
const LOOK_UPS_PER_WRITE = 5;
const TOOLS = [{ field: 'event_type', operator: 'is', value: 'tool', type: 'string' }];
const SEARCHES = 20;
/** A search that had to wait for those of the other project would wait for all of its twelve. */
const MAX_ENDED_PER_SEARCH = 6;
/** The store is at most about two seconds behind, by its own throughput, which is low on a busy machine. */
const VISIBLE_WITHIN_MS = 60_000;
/** What a loud project may get: success, a query that is too expensive, a body that is too large, or a rejection. */
const EXPECTED = ['200', '400', '413', '503'];

/**
 * Asserts what does not depend on the machine: the requests of a quiet project succeed, its writes become visible, and
 * the loud one gets orderly responses. Latencies are figures of `npm run bench -- neighbour`.
 */
export function describeNoisyNeighbour(title: string, start: () => Promise<Stack>): void {
  describe(`a project beside one with the worst searches, lists and updates ${title}`, () => {
    const { stack } = onStack(start);
    let noisy: NoiseTarget;
    let noise: Noise | undefined;
    beforeAll(async () => {
      noisy = await prepareNoisyProject(stack);
    }, 300_000);
    afterAll(() => noise?.stop());

    it('has every write stored and every look-up answered', async () => {
      const quiet = new Client(stack, await newProject(stack, 'quiet'));
      const configuration = { name: 'c', provider: 'p', parameters: { model: 'm' } };
      // The projects share the store from their first write on.
      expect((await quiet.post('/v1/events', { event_type: 'model', inputs: {} })).status).toBe(200);
      noise = await noiseFromProcess(noisy);
      for (let write = 0; write < WRITES; write++) {
        const sent = await quiet.post('/v1/events', { event_type: 'tool', inputs: { write } });
        expect(sent.status).toBe(200);
        const path = `/v1/events/${sent.json<{ event_id: string }>().event_id}`;
        await waitFor('the write is visible', async () => (await visible(quiet, path)) === 200, {
          withinMs: VISIBLE_WITHIN_MS,
        });
        for (let lookUp = 0; lookUp < LOOK_UPS_PER_WRITE; lookUp++)
          expect((await quiet.call('GET', path)).status).toBe(200);
        expect((await quiet.post('/v1/events/search', { filters: TOOLS, limit: 1 })).status).toBe(200);
        expect((await quiet.post('/v1/configurations', configuration)).status).toBe(200);
        expect((await quiet.call('GET', '/v1/configurations')).status).toBe(200);
      }
      const result = await noise.stop();
      noise = undefined;
      const { statuses, updates } = result;
      process.stdout.write(`the loud project: ${JSON.stringify({ statuses, updates })}\n`);
      expect(Object.keys(result.statuses).filter((status) => !EXPECTED.includes(status))).toEqual([]);
      expect([result.broken, result.withoutRetryAfter]).toEqual([[], 0]);
      expect(result.statuses[413]).toBeGreaterThan(0);
      expect(updates[200]).toBeGreaterThan(0);
      expect(updates[503]).toBeGreaterThan(0);
      expect((await quiet.search({ filters: TOOLS, limit: 1 })).count).toBe(WRITES);
    }, 600_000);

    it('has its writes and resources answered as promptly as alone, beside twelve of the worst searches', async () => {
      const attack = async () => {
        const searches = await noiseFromProcess(noisy, ['search']);
        return () => searches.stop();
      };
      const event = { event_type: 'tool', event_name: 'quiet', inputs: { question: 'x'.repeat(1_500) } };
      const requests = () =>
        Promise.resolve([
          { method: 'POST', path: '/v1/events', body: event },
          { method: 'GET', path: '/v1/metrics' },
        ]);
      await expectUndisturbed(stack, attack, { requests });
    }, 600_000);

    it('has its own searches answered while those of the loud one run', async () => {
      const quiet = new Client(stack, await newProject(stack, 'quiet searches'));
      await quiet.post('/v1/events', { event_type: 'tool', inputs: { text: 'short' } });
      expect((await quiet.search({ filters: TOOLS, limit: 1 })).count).toBe(1);
      noise = await noiseFromProcess(noisy, ['search']);
      for (let search = 0; search < SEARCHES; search++)
        expect((await quiet.search({ filters: TOOLS, limit: 1 })).count).toBe(1);
      const { statuses, broken } = await noise.stop();
      noise = undefined;
      const ended = Object.values(statuses).reduce((sum, count) => sum + count, 0);
      process.stdout.write(`searches of the loud project: ${JSON.stringify(statuses)}\n`);
      expect(Object.keys(statuses).filter((status) => !EXPECTED.includes(status))).toEqual([]);
      expect(broken).toEqual([]);
      expect(ended).toBeLessThan(SEARCHES * MAX_ENDED_PER_SEARCH);
    }, 600_000);
  });
}

async function visible(client: Client, path: string): Promise<number> {
  return (await client.call('GET', path, { headers: { prefer: 'wait=30' } })).status;
}
