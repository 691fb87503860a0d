import { join } from 'node:path';
import { otlpBody } from '../bench/otlp-body.js';
import { Prose, seeded } from '../bench/prose.js';
import { Client } from '../harness/stack/client.js';
import { repository } from '../harness/stack/repository.js';
import type { Stack } from '../harness/stack/stack.js';
import type { Flood } from './flood.js';

export type Source = Pick<Flood, 'url' | 'headers' | 'bodies'>;

const SPANS = 100;
const SPAN_BYTES = 2_000;
/** Different requests of a load that sends them again and again. */
const REQUESTS = 40;

/** Requests of a collector: 100 spans of 2 KB, gzipped protobuf. No two of `requests` have the same spans. */
export function spansFrom(stack: Stack, key: string, requests = REQUESTS): Source {
  const prose = new Prose(join(repository, 'node_modules'), seeded(1));
  return {
    url: `${stack.baseUrl}/opentelemetry/v1/traces`,
    headers: {
      'content-type': 'application/x-protobuf',
      'content-encoding': 'gzip',
      authorization: `Bearer ${key}`,
    },
    bodies: Array.from({ length: requests }, () => otlpBody(prose, SPANS, SPAN_BYTES)),
  };
}

/** Requests of one small event each. */
export function eventsFrom(stack: Stack, key: string): Source {
  const event = { event_type: 'tool', event_name: 'quiet', inputs: { question: 'x'.repeat(1_500) } };
  return {
    url: `${stack.baseUrl}/v1/events`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    bodies: [Buffer.from(JSON.stringify(event))],
  };
}

/** Creates a project and returns its key. */
export async function newProject(stack: Stack, name: string): Promise<string> {
  const made = await new Client(stack, stack.adminToken).post('/v1/projects', { name });
  if (made.status !== 200) throw new Error(`creating a project returned ${made.status}: ${made.text}`);
  return made.json<{ api_key: string }>().api_key;
}

/** Five events of a little under 10 MB, the largest size an event may have: a little under 50 MB together. */
export function largeBatch(): Buffer {
  const event = { event_type: 'tool', event_name: 'large', inputs: { text: 'x'.repeat(10_400_000) } };
  return Buffer.from(JSON.stringify({ events: Array.from({ length: 5 }, () => event) }));
}
