import { sendLoad } from '../bench/send-load.js';
import type { Source } from './sources.js';

const CONCURRENCY = 8;

/** Requests per second that the server accepts from a closed loop, after a warm-up. */
export async function capacityOf(source: Source): Promise<number> {
  const load = { ...source, concurrency: CONCURRENCY };
  await sendLoad(load);
  const startedAt = performance.now();
  const { accepted } = await sendLoad({ ...load, bodies: [...source.bodies, ...source.bodies] });
  return accepted / ((performance.now() - startedAt) / 1_000);
}
