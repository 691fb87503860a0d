import { startOtlpReceiver } from '../harness/otlp/otlp-receiver.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import type { Stack } from '../harness/stack/stack.js';
import { median } from './against.js';
import { cpuSeconds } from './cpu-time.js';
import type { Part } from './part.js';
import { forwarded } from './forwarded.js';
import { INGEST_CASES, makeLoad, type IngestLoad } from './ingest-cases.js';
import { sendLoad } from './send-load.js';
import { stored } from './stored.js';

/** What the traces of the single process itself cost. */
interface TracingFigures {
  readonly name: string;
  readonly events: number;
  readonly rounds: number;
  /** Microseconds of CPU per event, without an endpoint for traces and metrics. */
  readonly without: number;
  /** The same with one, at the default sampling of a request in a hundred. */
  readonly withTraces: number;
  /** Median of the ratios within one round. */
  readonly ratio: number;
  /** Spans that were exported. */
  readonly spans: number;
}

const CASES: readonly string[] = ['default settings, traces of 2 KB', 'OTLP, 1 span of 2 KB'];
const ROUNDS = Number(process.env.ASSAY_BENCH_PAIRS ?? 9);
const HEADERS = { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' };
const CONCURRENCY = 8;

export const TRACING: Part = {
  title: 'self-tracing: µs of CPU per event without and with traces and metrics of the process itself',
  columns: ['case', 'events', 'rounds', 'without', 'with', 'with / without', 'spans exported'],
  async *rows() {
    for await (const { name, events, rounds, without, withTraces, ratio, spans } of measureTracing())
      yield [name, events, rounds, without.toFixed(1), withTraces.toFixed(1), ratio.toFixed(3), spans];
  },
};

/** Two processes, one of which traces itself, take turns at parts of the same load: other work on the machine concerns both. */
async function* measureTracing(): AsyncGenerator<TracingFigures> {
  const receiver = await startOtlpReceiver();
  const settings = { LOG_LEVEL: 'warn' };
  const without = await startStandalone(settings);
  const traced = await startStandalone({ ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  try {
    for (const of of INGEST_CASES.filter(({ name }) => CASES.includes(name))) {
      const spansBefore = receiver.spans().length;
      const figures = await measureRounds(without, traced, makeLoad(of));
      yield { name: of.name, ...figures, spans: receiver.spans().length - spansBefore };
    }
  } finally {
    await Promise.all([without.stop(), traced.stop()]);
    await receiver.stop();
  }
}

async function measureRounds(without: Stack, traced: Stack, load: IngestLoad) {
  for (const stack of [without, traced]) await cpuOf(stack, load.warmUp);
  const rounds: { readonly without: number; readonly withTraces: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // The one that is second finds the machine warmer, so that they take turns at that, too.
    const first = round % 2 === 0 ? without : traced;
    const ofFirst = await cpuOf(first, load.bodies);
    const ofSecond = await cpuOf(first === without ? traced : without, load.bodies);
    const [plain, spans] = first === without ? [ofFirst, ofSecond] : [ofSecond, ofFirst];
    rounds.push({ without: plain, withTraces: spans });
  }
  const perEvent = (seconds: readonly number[]) => (median(seconds) * 1e6) / load.events;
  return {
    events: load.events,
    rounds: ROUNDS,
    without: perEvent(rounds.map((round) => round.without)),
    withTraces: perEvent(rounds.map((round) => round.withTraces)),
    ratio: median(rounds.map((round) => round.withTraces / round.without)),
  };
}

/** Sends bodies once and waits for all that follows them. Returns the seconds of CPU that the process took. */
async function cpuOf(stack: Stack, bodies: readonly Buffer[]): Promise<number> {
  const before = cpuSeconds(stack.pid('standalone'));
  const { refused } = await sendLoad({
    url: `${stack.baseUrl}/opentelemetry/v1/traces`,
    headers: { ...HEADERS, authorization: `Bearer ${stack.apiKey}` },
    concurrency: CONCURRENCY,
    bodies,
  });
  if (refused > 0) throw new Error(`${refused} requests were refused`);
  await stored(stack);
  await forwarded(stack);
  return cpuSeconds(stack.pid('standalone')) - before;
}
