import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { expectUndisturbed } from './quiet-project.js';
import { newProject } from './sources.js';

const KEYS = 99_000;
const LIST_BYTES = 42_000_000;
const LIST_VALUES = 1_000;
/** Few enough that a machine on which everything takes many times as long keeps up. */
const PER_SECOND = 10;
/** Of 60 requests, the slowest one would be the 99th percentile. */
const DURATION_MS = 15_000;
/** One event takes several turns of tens of milliseconds; without a pause, requests of others would be measured between them only. */
const PAUSE_MS = 2_000;

const wideEvent = {
  ...{ event_type: 'tool', event_name: 'wide' },
  inputs: Object.fromEntries(Array.from({ length: KEYS }, (_, index) => [`key${index}`, index])),
};
const longList = {
  filters: [
    {
      ...{ field: 'inputs.t', operator: 'in', type: 'string' },
      value: Array.from({ length: LIST_VALUES }, (_, index) =>
        `${index} `.padEnd(LIST_BYTES / LIST_VALUES, 'x'),
      ),
    },
  ],
};

describe('a project beside one that sends wide objects and long lists', () => {
  const { stack } = onStack(() => startStandalone({ LOG_LEVEL: 'error' }));

  it('is not delayed', async () => {
    const client = new Client(stack, await newProject(stack, 'wide'));
    const refusal = await client.post('/v1/events/search', longList);
    expect([refusal.status, refusal.text]).toEqual([400, expect.stringContaining('filters[0].value')]);
    expect(refusal.text.length).toBeLessThan(1_000);
    const statuses = new Set<string>();
    const attack = () => {
      let isEnded = false;
      const send = async (path: string, body: unknown) => {
        while (!isEnded) {
          statuses.add(`${path} ${(await client.post(path, body)).status}`);
          await pause(PAUSE_MS);
        }
      };
      const sending = [send('/v1/events', wideEvent), send('/v1/events/search', longList)];
      return Promise.resolve(async () => {
        isEnded = true;
        await Promise.all(sending);
      });
    };
    await expectUndisturbed(stack, attack, { perSecond: PER_SECOND, durationMs: DURATION_MS });
    expect([...statuses].sort()).toEqual(['/v1/events 200', '/v1/events/search 400']);
  }, 600_000);
});
