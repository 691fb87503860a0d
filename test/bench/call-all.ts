import { Agent, request } from 'node:http';
import { percentile } from './send-load.js';

/** One request of JSON. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object;
}

/** Whom to ask, by a key or by other headers. */
export interface Target {
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Milliseconds from sending to the whole answer. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
}

/** Sends every call once, `concurrency` at a time, and returns the responses in the order of the calls. @throws for any answer but 200 */
export async function callAll<T>(
  target: Target,
  calls: readonly Call[],
  concurrency: number,
): Promise<{ responses: T[]; latencies: readonly number[]; latency: Latency }> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const responses: T[] = [];
  const latencies: number[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < calls.length; index = next++) {
      const startedAt = performance.now();
      const text = await send(target, agent, calls[index]!);
      latencies.push(performance.now() - startedAt);
      responses[index] = JSON.parse(text) as T;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  agent.destroy();
  latencies.sort((a, b) => a - b);
  return {
    responses,
    latencies,
    latency: { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) },
  };
}

function send(
  { baseUrl, apiKey, headers: more }: Target,
  agent: Agent,
  { method, path, body }: Call,
): Promise<string> {
  const bytes = body && Buffer.from(JSON.stringify(body));
  const headers = {
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    ...more,
    ...(bytes && { 'content-type': 'application/json', 'content-length': bytes.length }),
  };
  return new Promise((responded, fail) => {
    const outgoing = request(baseUrl + path, { method, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) responded(text);
        else fail(new Error(`${method} ${path} answered ${response.statusCode}: ${text.slice(0, 500)}`));
      });
    });
    outgoing.once('error', fail);
    outgoing.end(bytes);
  });
}
