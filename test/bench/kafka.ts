import { join } from 'node:path';
import { startEngines } from '../harness/engines/start-engines.js';
import { repository } from '../harness/stack/repository.js';
import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import type { Stack } from '../harness/stack/stack.js';
import { cpuSeconds, residentMegabytes } from './cpu-time.js';
import { measureFloor } from './ingest.js';
import { otlpBody } from './otlp-body.js';
import { Prose, seeded } from './prose.js';
import { percentile, sendLoad } from './send-load.js';
import { stored } from './stored.js';

export interface KafkaFigures {
  readonly name: string;
  readonly events: number;
  /** Microseconds of CPU per event: bare `node:http`, gunzip and decode. */
  readonly acceptFloor: number;
  /** Microseconds of CPU of the ingestion process per event, from the socket to Kafka's acknowledgement. */
  readonly ingestion: number;
  /** Milliseconds, through the data plane. */
  readonly p50: number;
  readonly p99: number;
  readonly residentMegabytes: number;
}

interface KafkaCase {
  readonly name: string;
  readonly requests: number;
  readonly spansPerRequest: number;
  readonly spanBytes: number;
  /** How often the load is sent before it is measured: until the JIT compiler has little left to do. */
  readonly warmUps: number;
}

const CONCURRENCY = 8;
const [SMALL, LARGE] = [2_000, 20_000];
const CASES: readonly KafkaCase[] = [
  {
    name: 'OTLP to Kafka, 100 spans of 2 KB',
    requests: 200,
    spansPerRequest: 100,
    spanBytes: SMALL,
    warmUps: 3,
  },
  {
    name: 'OTLP to Kafka, 100 spans of 20 KB',
    requests: 40,
    spansPerRequest: 100,
    spanBytes: LARGE,
    warmUps: 5,
  },
  {
    name: 'OTLP to Kafka, 1 span of 2 KB',
    requests: 4_000,
    spansPerRequest: 1,
    spanBytes: SMALL,
    warmUps: 1,
  },
];

/** The ingestion process of the separate services, on a Kafka broker. Starts the engines that the environment does not name. */
export async function* measureKafka(): AsyncGenerator<KafkaFigures> {
  const stopEngines = await startEngines();
  try {
    const stack = await startSplit(enginesFromEnvironment());
    try {
      for (const one of CASES) yield await measureOne(stack, one);
    } finally {
      await stack.stop();
    }
  } finally {
    await stopEngines();
  }
}

async function measureOne(
  stack: Stack,
  { name, requests, spansPerRequest, spanBytes, warmUps }: KafkaCase,
): Promise<KafkaFigures> {
  const prose = new Prose(join(repository, 'node_modules'), seeded(spanBytes));
  const bodies = Array.from({ length: requests }, () => otlpBody(prose, spansPerRequest, spanBytes));
  const events = requests * spansPerRequest;
  const warmUp = Array.from({ length: warmUps }, () => bodies).flat();
  const acceptFloor = await measureFloor({ bodies, warmUp, events });
  const load = {
    url: `${stack.baseUrl}/opentelemetry/v1/traces`,
    headers: {
      'content-type': 'application/x-protobuf',
      'content-encoding': 'gzip',
      authorization: `Bearer ${stack.apiKey}`,
    },
    concurrency: CONCURRENCY,
  };
  await sendLoad({ ...load, bodies: warmUp });
  await stored(stack);
  const pid = stack.pid('ingestion');
  const before = cpuSeconds(pid);
  const { refused, latencies } = await sendLoad({ ...load, bodies });
  if (refused > 0) throw new Error(`${refused} requests were refused`);
  const ingestion = ((cpuSeconds(pid) - before) * 1e6) / events;
  const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
  return { name, events, acceptFloor, ingestion, p50, p99, residentMegabytes: residentMegabytes(pid) };
}
