import { Agent, request } from 'node:http';

export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** POST when absent. */
  readonly method?: string;
  /** What stands behind `url` for each body, if anything. */
  readonly paths?: readonly string[];
  readonly bodies: readonly Buffer[];
  /** Requests under way at one time. */
  readonly concurrency: number;
}

export interface LoadResult {
  readonly accepted: number;
  readonly refused: number;
  /** Milliseconds from sending to the whole answer, sorted. */
  readonly latencies: readonly number[];
}

/** Sends every body once, closed loop, and waits for all answers. */
export async function sendLoad(load: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.concurrency });
  const latencies: number[] = [];
  let [next, accepted, refused] = [0, 0, 0];
  const worker = async () => {
    for (let index = next++; index < load.bodies.length; index = next++) {
      const startedAt = performance.now();
      const status = await send(agent, load, index);
      latencies.push(performance.now() - startedAt);
      if (status === 200) accepted++;
      else refused++;
    }
  };
  await Promise.all(Array.from({ length: load.concurrency }, worker));
  agent.destroy();
  return { accepted, refused, latencies: latencies.sort((a, b) => a - b) };
}

function send(agent: Agent, load: Load, index: number): Promise<number> {
  const body = load.bodies[index]!;
  const { method = 'POST' } = load;
  return new Promise((responded, fail) => {
    const headers = { ...load.headers, 'content-length': body.length };
    const outgoing = request(
      load.url + (load.paths?.[index] ?? ''),
      { method, agent, headers },
      (response) => {
        response.resume().once('end', () => responded(response.statusCode ?? 0));
      },
    );
    outgoing.once('error', fail);
    outgoing.end(body);
  });
}

/** The value below which this share of the sorted values lies. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
