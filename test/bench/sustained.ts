import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../harness/stack/repository.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { cpuSeconds } from './cpu-time.js';
import { INGEST_CASES, makeLoad } from './ingest-cases.js';
import { measureFloor } from './ingest.js';
import { Prose, seeded } from './prose.js';
import { sendLoad } from './send-load.js';
import { perEventSince, threadSeconds, wholeOf, type ThreadTimes } from './thread-time.js';
import { SPANS_PER_TRACE, traceBody } from './trace-body.js';

/** Memory of the process after a part of the run, in megabytes. */
export interface SustainedFigures {
  readonly seconds: number;
  /** Events accepted since the start. */
  readonly events: number;
  readonly refused: number;
  /** Seconds of CPU of the process since the start. */
  readonly cpu: number;
  readonly resident: number;
  /** Of it, memory that is not of files. */
  readonly anonymous: number;
  readonly peak: number;
  /** Microseconds of CPU per event since the sample before, by thread. */
  readonly perEvent: ThreadTimes;
  /** CPU per event since the sample before, relative to bare Node that inflated and decoded such bodies before the run. */
  readonly timesNode: number;
}

const SECONDS = Number(process.env.ASSAY_BENCH_SUSTAINED_SECONDS ?? 600);
const SAMPLE_MS = 10_000;
const SPANS = 100;
const SPAN_BYTES = 2_000;
const CONCURRENCY = 8;

/** Default settings at capacity: new traces of 2 KB, eight requests in flight, for ten minutes. Samples the memory every ten seconds. */
export async function* measureSustained(): AsyncGenerator<SustainedFigures> {
  const [byDefault] = INGEST_CASES;
  if (byDefault === undefined) throw new Error('an ingest case is missing');
  const floor = await measureFloor(makeLoad(byDefault));
  const stack = await startStandalone({ LOG_LEVEL: 'warn' });
  try {
    const pid = stack.pid('standalone');
    const prose = new Prose(join(repository, 'node_modules'), seeded(1));
    const load = {
      url: `${stack.baseUrl}/opentelemetry/v1/traces`,
      headers: {
        'content-type': 'application/x-protobuf',
        'content-encoding': 'gzip',
        authorization: `Bearer ${stack.apiKey}`,
      },
      concurrency: 1,
    };
    const startedAt = performance.now();
    const elapsed = () => performance.now() - startedAt;
    let [accepted, refused] = [0, 0];
    const worker = async () => {
      while (elapsed() < SECONDS * 1_000) {
        const body = traceBody(prose, SPANS / SPANS_PER_TRACE, SPAN_BYTES);
        const sent = await sendLoad({ ...load, bodies: [body] });
        accepted += sent.accepted;
        refused += sent.refused;
      }
    };
    const workers = Promise.all(Array.from({ length: CONCURRENCY }, worker));
    let before = { events: 0, threads: threadSeconds(pid) };
    while (elapsed() < SECONDS * 1_000) {
      await new Promise((resume) => setTimeout(resume, SAMPLE_MS));
      const seconds = Math.round(elapsed() / 1_000);
      const events = accepted * SPANS;
      const perEvent = perEventSince(before.threads, pid, events - before.events);
      before = { events, threads: threadSeconds(pid) };
      const timesNode = wholeOf(perEvent) / floor;
      yield { seconds, events, refused, cpu: cpuSeconds(pid), ...memoryOf(pid), perEvent, timesNode };
    }
    await workers;
  } finally {
    await stack.stop();
  }
}

function memoryOf(pid: number): Pick<SustainedFigures, 'resident' | 'anonymous' | 'peak'> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
  return { resident: megabytes('VmRSS'), anonymous: megabytes('RssAnon'), peak: megabytes('VmHWM') };
}
