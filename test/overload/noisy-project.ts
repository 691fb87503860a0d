import { randomUUID } from 'node:crypto';
import { Client } from '../harness/stack/client.js';
import type { Stack } from '../harness/stack/stack.js';
import { longConfiguration, type NoiseTarget } from './noise.js';
import { newProject } from './sources.js';

const EVENTS = 3_000;
const EVENTS_PER_BATCH = 100;
const TEXT_LENGTH = 10_000;
const CONFIGURATIONS = 20;
/** Below the maximum size of a configuration. */
const CONFIGURATION_LENGTH = 200_000;

/** Creates a project with much data, whose worst searches, lists and updates load the product. */
export async function prepareNoisyProject(stack: Stack): Promise<NoiseTarget> {
  const key = await newProject(stack, `noisy ${randomUUID()}`);
  const client = new Client(stack, key);
  const text = 'a text without the words of the searches '.repeat(TEXT_LENGTH / 40);
  for (let stored = 0; stored < EVENTS; stored += EVENTS_PER_BATCH)
    await client.post('/v1/events/batch', {
      events: Array.from({ length: EVENTS_PER_BATCH }, () => ({
        event_type: 'tool',
        event_name: 'noisy',
        inputs: { text },
      })),
    });
  for (let made = 0; made < CONFIGURATIONS; made++)
    await client.post('/v1/configurations', longConfiguration(CONFIGURATION_LENGTH));
  const { event_id: eventId } = (await client.post('/v1/events', { event_type: 'tool', inputs: {} })).json<{
    event_id: string;
  }>();
  await client.search({ limit: 1 });
  return { baseUrl: stack.baseUrl, key, eventId };
}
