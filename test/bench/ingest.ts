import { startStandalone } from '../harness/stack/start-standalone.js';
import type { Stack } from '../harness/stack/stack.js';
import { runToEnd, startListening } from './children.js';
import { cpuSeconds, residentMegabytes } from './cpu-time.js';
import { forwarded } from './forwarded.js';
import { makeLoad, type IngestCase, type IngestLoad } from './ingest-cases.js';
import { percentile, sendLoad, type Load } from './send-load.js';
import { stored } from './stored.js';
import { perEventSince, threadSeconds, wholeOf, type ThreadTimes } from './thread-time.js';

/** What the product takes for a load. */
export interface ProductFigures {
  /** Microseconds of CPU per event of the whole product, from the socket to the stored row, with its merges. */
  readonly whole: number;
  /** The same by thread. */
  readonly threads: ThreadTimes;
  /** Milliseconds. */
  readonly acceptP50: number;
  readonly acceptP99: number;
  readonly residentMegabytes: number;
}

export interface IngestFigures extends ProductFigures {
  readonly name: string;
  readonly events: number;
  /** Microseconds of CPU per event of bare `node:http` that inflates and decodes the same bodies. */
  readonly acceptFloor: number;
  /** Ready rows into the tables. */
  readonly storeFloor: number;
}

const HEADERS = { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' };
const CONCURRENCY = 8;
const MERGE_TAIL_MS = 2_000;
const MAX_FLOOR_ROWS = 20_000;

/** Measures one kind of load against its floors, in one run, because absolute figures move with the machine. */
export async function measureIngest(of: IngestCase): Promise<IngestFigures> {
  const load = makeLoad(of);
  const { events } = load;
  const acceptFloor = await measureFloor(load);
  const { microsecondsPerRow: storeFloor } = await runToEnd<{ microsecondsPerRow: number }>(
    'floor-insert.ts',
    String(of.spanBytes),
    String(Math.min(events, MAX_FLOOR_ROWS)),
  );
  return { name: of.name, events, acceptFloor, storeFloor, ...(await measureProduct(load)) };
}

/** Microseconds of CPU per event of a process that only receives, inflates and decodes these bodies. */
export async function measureFloor({
  bodies,
  warmUp,
  events,
}: Pick<IngestLoad, 'bodies' | 'warmUp' | 'events'>): Promise<number> {
  const { child, port } = await startListening('floor-server.ts');
  const load = { url: `http://127.0.0.1:${port}/`, headers: HEADERS, concurrency: CONCURRENCY };
  await sendLoad({ ...load, bodies: warmUp });
  const before = cpuSeconds(child.pid!);
  await sendLoad({ ...load, bodies });
  const used = cpuSeconds(child.pid!) - before;
  child.kill();
  return (used * 1e6) / events;
}

/** Sends a load to the product. @param root built repository of the product, this one by default */
export async function measureProduct(load: IngestLoad, root?: string): Promise<ProductFigures> {
  const settings: Record<string, string> = load.of.isDefault ? {} : { FORWARD_EVENTS: 'false' };
  const stack = await startStandalone({ LOG_LEVEL: 'warn', ...settings }, root);
  try {
    return await measureStack(stack, load);
  } finally {
    await stack.stop();
  }
}

async function measureStack(
  stack: Stack,
  { of, bodies, warmUp, events }: IngestLoad,
): Promise<ProductFigures> {
  const pid = stack.pid('standalone');
  const headers = { ...HEADERS, authorization: `Bearer ${stack.apiKey}` };
  const load: Omit<Load, 'bodies'> = {
    url: `${stack.baseUrl}/opentelemetry/v1/traces`,
    headers,
    concurrency: CONCURRENCY,
  };
  const done = async () => {
    await stored(stack);
    if (of.isDefault) await forwarded(stack);
  };
  await sendLoad({ ...load, bodies: warmUp });
  await done();
  const before = threadSeconds(pid);
  const sent = await sendLoad({ ...load, bodies });
  if (sent.refused > 0) throw new Error(`${sent.refused} requests were refused`);
  const resident = residentMegabytes(pid);
  await done();
  await new Promise((resume) => setTimeout(resume, MERGE_TAIL_MS));
  const threads = perEventSince(before, pid, events);
  return {
    whole: wholeOf(threads),
    threads,
    acceptP50: percentile(sent.latencies, 0.5),
    acceptP99: percentile(sent.latencies, 0.99),
    residentMegabytes: resident,
  };
}
