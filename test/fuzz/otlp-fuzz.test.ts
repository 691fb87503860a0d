import { randomBytes } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { decodeMessage } from '@assay/otlp';
import { otlpBody } from '../bench/otlp-body.js';
import { Prose, seeded } from '../bench/prose.js';
import type { ApiResponse, Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import { repository } from '../harness/stack/repository.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { mutateBytes, mutateJson, type Random } from './mutate.js';

const REQUESTS = 2_000;
const CONCURRENCY = 8;
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const ALLOWED = [200, 400, 413, 415];
const PATH = '/opentelemetry/v1/traces';

describe(`randomly damaged OTLP requests (SEED=${seed})`, () => {
  const { stack, client } = onStack(() => startStandalone({ LOG_LEVEL: 'warn' }));

  it('are accepted or rejected as a client error, and the server keeps running', async () => {
    const pid = stack.pid('standalone');
    const random = seeded(seed);
    const prose = new Prose(join(repository, 'node_modules'), random);
    const valid = gunzipSync(otlpBody(prose, 5, 1_500));
    const unexpected: string[] = [];
    const counts: Record<number, number> = {};
    let sent = 0;
    const worker = async () => {
      while (sent < REQUESTS) {
        const number = sent++;
        const { bytes, headers } = damaged(valid, random);
        const response = await client.call('POST', PATH, { bytes, headers });
        counts[response.status] = (counts[response.status] ?? 0) + 1;
        if (!ALLOWED.includes(response.status))
          unexpected.push(`request ${number}: ${response.status} ${response.text.slice(0, 200)}`);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    process.stdout.write(`OTLP fuzz, SEED=${seed}: ${JSON.stringify(counts)}\n`);
    expect(unexpected).toEqual([]);
    expect(counts[200]).toBeGreaterThan(0);
    expect(counts[400]).toBeGreaterThan(0);
    expect(stack.pid('standalone')).toBe(pid);
    await expectNormalService(client);
  }, 900_000);
});

interface Damaged {
  readonly bytes: Buffer;
  readonly headers: Record<string, string>;
}

/** A valid request, damaged in its values, in its bytes, or in its compressed bytes. */
function damaged(valid: Buffer, random: Random): Damaged {
  const isJson = random() < 0.5;
  const plain = isJson ? damagedJson(valid, random) : mutateBytes(valid, random);
  const headers = { 'content-type': isJson ? 'application/json' : 'application/x-protobuf' };
  if (random() < 0.6) return { bytes: plain, headers };
  const zipped = gzipSync(plain);
  return {
    bytes: random() < 0.4 ? mutateBytes(zipped, random) : zipped,
    headers: { ...headers, 'content-encoding': 'gzip' },
  };
}

function damagedJson(valid: Buffer, random: Random): Buffer {
  const message = withHexIds(decodeMessage('ExportTraceServiceRequest', valid));
  if (random() < 0.3) return mutateBytes(Buffer.from(JSON.stringify(message)), random);
  return Buffer.from(JSON.stringify(mutateJson(message, random)) ?? 'null');
}

/** OTLP's JSON writes ids as hexadecimal digits. */
function withHexIds(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Array.isArray(value)) return value.map(withHexIds);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withHexIds(inner)]));
}

/** A valid span is accepted and found by search. */
async function expectNormalService(client: Client): Promise<void> {
  const traceId = randomBytes(16).toString('hex');
  const span = {
    traceId,
    spanId: randomBytes(8).toString('hex'),
    name: 'after the damage',
    startTimeUnixNano: String(Date.now() * 1e6),
  };
  const response: ApiResponse = await client.post(PATH, {
    resourceSpans: [{ scopeSpans: [{ spans: [span] }] }],
  });
  expect(response.status).toBe(200);
  const filters = [{ field: 'metadata.trace_id', operator: 'is', value: traceId, type: 'string' }];
  const found = await client.search({ filters });
  expect(found.events.map(({ event_name }) => event_name)).toContain('after the damage');
}
