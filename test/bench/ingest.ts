import { join } from 'node:path';
import { repository } from '../harness/stack/repository.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import type { Stack } from '../harness/stack/stack.js';
import { runToEnd, startListening } from './children.js';
import { cpuSeconds, residentMegabytes } from './cpu-time.js';
import { otlpBody } from './otlp-body.js';
import { Prose, seeded } from './prose.js';
import { percentile, sendLoad, type Load } from './send-load.js';
import { stored } from './stored.js';

export interface IngestFigures {
  readonly name: string;
  readonly events: number;
  /** Microseconds of CPU per event: bare `node:http`, gunzip and decode. */
  readonly acceptFloor: number;
  /** Ready rows into the tables. */
  readonly storeFloor: number;
  /** The whole product, from the socket to the stored row, with its merges. */
  readonly whole: number;
  readonly ratioToFloors: number;
  /** Milliseconds. */
  readonly acceptP50: number;
  readonly acceptP99: number;
  readonly residentMegabytes: number;
}

export interface IngestCase {
  readonly name: string;
  readonly requests: number;
  readonly spansPerRequest: number;
  readonly spanBytes: number;
}

export const INGEST_CASES: readonly IngestCase[] = [
  { name: 'OTLP, 100 spans of 2 KB', requests: 400, spansPerRequest: 100, spanBytes: 2_000 },
  { name: 'OTLP, 100 spans of 20 KB', requests: 60, spansPerRequest: 100, spanBytes: 20_000 },
  { name: 'OTLP, 500 spans of 2 KB', requests: 80, spansPerRequest: 500, spanBytes: 2_000 },
  { name: 'OTLP, 1 span of 2 KB', requests: 10_000, spansPerRequest: 1, spanBytes: 2_000 },
];

const HEADERS = { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' };
const CONCURRENCY = 8;
const MERGE_TAIL_MS = 2_000;

/** Measures one kind of load against its floors, in one run, because absolute figures move with the machine. */
export async function measureIngest(of: IngestCase): Promise<IngestFigures> {
  const prose = new Prose(join(repository, 'node_modules'), seeded(of.spanBytes));
  const bodies = Array.from({ length: of.requests }, () => otlpBody(prose, of.spansPerRequest, of.spanBytes));
  const warmUp = Array.from({ length: Math.ceil(of.requests / 4) }, () =>
    otlpBody(prose, of.spansPerRequest, of.spanBytes),
  );
  const events = of.requests * of.spansPerRequest;
  const acceptFloor = await measureFloor(bodies, warmUp, events);
  const { microsecondsPerRow: storeFloor } = await runToEnd<{ microsecondsPerRow: number }>(
    'floor-insert.ts',
    String(of.spanBytes),
    String(Math.min(events, 20_000)),
  );
  const stack = await startStandalone({ LOG_LEVEL: 'warn', FORWARD_EVENTS: 'false' });
  try {
    const whole = await measureWhole(stack, bodies, warmUp, events);
    return {
      name: of.name,
      events,
      acceptFloor,
      storeFloor,
      ...whole,
      ratioToFloors: whole.whole / (acceptFloor + storeFloor),
    };
  } finally {
    await stack.stop();
  }
}

/** Microseconds of CPU per event of a process that only receives, inflates and decodes these bodies. */
export async function measureFloor(
  bodies: readonly Buffer[],
  warmUp: readonly Buffer[],
  events: number,
): Promise<number> {
  const { child, port } = await startListening('floor-server.ts');
  const load = { url: `http://127.0.0.1:${port}/`, headers: HEADERS, concurrency: CONCURRENCY };
  await sendLoad({ ...load, bodies: warmUp });
  const before = cpuSeconds(child.pid!);
  await sendLoad({ ...load, bodies });
  const used = cpuSeconds(child.pid!) - before;
  child.kill();
  return (used * 1e6) / events;
}

async function measureWhole(
  stack: Stack,
  bodies: readonly Buffer[],
  warmUp: readonly Buffer[],
  events: number,
) {
  const pid = stack.pid('standalone');
  const headers = { ...HEADERS, authorization: `Bearer ${stack.apiKey}` };
  const load: Omit<Load, 'bodies'> = {
    url: `${stack.baseUrl}/opentelemetry/v1/traces`,
    headers,
    concurrency: CONCURRENCY,
  };
  await sendLoad({ ...load, bodies: warmUp });
  await stored(stack);
  const before = cpuSeconds(pid);
  const sent = await sendLoad({ ...load, bodies });
  if (sent.refused > 0) throw new Error(`${sent.refused} requests were refused`);
  const resident = residentMegabytes(pid);
  await stored(stack);
  await new Promise((resume) => setTimeout(resume, MERGE_TAIL_MS));
  return {
    whole: ((cpuSeconds(pid) - before) * 1e6) / events,
    acceptP50: percentile(sent.latencies, 0.5),
    acceptP99: percentile(sent.latencies, 0.99),
    residentMegabytes: resident,
  };
}
