import { Client } from '../harness/stack/client.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { noiseFromProcess } from '../overload/noise-from-process.js';
import { prepareNoisyProject } from '../overload/noisy-project.js';
import { newProject } from '../overload/sources.js';
import { percentile } from './send-load.js';

/** What a quiet project notices of another one, in milliseconds. */
export interface NeighbourFigures {
  readonly name: string;
  /** From the start of a write until a read finds it. */
  readonly visibleP50: number;
  readonly visibleMax: number;
  readonly lookUpP50: number;
  readonly lookUpP99: number;
}

const WRITES = 20;
const LOOK_UPS_PER_WRITE = 20;

/** Measures writes and look-ups of a project alone, then beside one with the worst searches, lists and updates. */
export async function* measureNeighbour(): AsyncGenerator<NeighbourFigures> {
  const stack = await startStandalone({ LOG_LEVEL: 'error' });
  try {
    const quiet = new Client(stack, await newProject(stack, 'quiet'));
    const noisy = await prepareNoisyProject(stack);
    await measure('warm-up', quiet);
    yield await measure('alone', quiet);
    const noise = await noiseFromProcess(noisy);
    yield await measure('beside the worst searches, lists and updates', quiet);
    await noise.stop();
  } finally {
    await stack.stop();
  }
}

async function measure(name: string, client: Client): Promise<NeighbourFigures> {
  const visible: number[] = [];
  const lookUps: number[] = [];
  for (let write = 0; write < WRITES; write++) {
    const startedAt = performance.now();
    const sent = await client.post('/v1/events', { event_type: 'tool', inputs: { write } });
    const path = `/v1/events/${sent.json<{ event_id: string }>().event_id}`;
    while ((await client.call('GET', path, { headers: { prefer: 'wait=30' } })).status !== 200) continue;
    visible.push(performance.now() - startedAt);
    for (let lookUp = 0; lookUp < LOOK_UPS_PER_WRITE; lookUp++) {
      const lookUpAt = performance.now();
      await client.call('GET', path);
      lookUps.push(performance.now() - lookUpAt);
    }
  }
  const sorted = (list: number[]) => list.sort((a, b) => a - b);
  return {
    name,
    visibleP50: percentile(sorted(visible), 0.5),
    visibleMax: percentile(sorted(visible), 1),
    lookUpP50: percentile(sorted(lookUps), 0.5),
    lookUpP99: percentile(sorted(lookUps), 0.99),
  };
}
