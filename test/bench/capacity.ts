import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startClickHouse, type ClickHouse } from '../harness/engines/start-clickhouse.js';
import { startEngines } from '../harness/engines/start-engines.js';
import { startKafka, type Kafka } from '../harness/engines/kafka/start-kafka.js';
import { repository } from '../harness/stack/repository.js';
import { enginesFromEnvironment, randomName, startSplit } from '../harness/stack/start-split.js';
import type { Stack } from '../harness/stack/stack.js';
import type { CapacityFigures, Cost } from './capacity-rates.js';
import { cpuSeconds } from './cpu-time.js';
import { forwarded } from './forwarded.js';
import { measureFloor } from './ingest.js';
import { Prose, seeded } from './prose.js';
import { sendLoad } from './send-load.js';
import { stored } from './stored.js';
import { SPANS_PER_TRACE, traceBody } from './trace-body.js';

/** The default of a new topic. */
const PARTITIONS = 12;
const SPANS_PER_REQUEST = 100;
const SIZES = [
  { spanBytes: 2_000, requests: 200, warmUps: 2 },
  { spanBytes: 20_000, requests: 40, warmUps: 1 },
] as const;
const CONCURRENCY = 8;
const MERGE_TAIL_MS = 2_000;
/** The rate at which the price of a service that does little is measured, one trace with each request. */
const PACED_PER_SECOND = 100;
const PACED_SECONDS = 15;
const PACED_WARM_UP_SECONDS = 5;

type Engines = { readonly kafka: Kafka; readonly kafkaDir: string; readonly clickHouse: ClickHouse };
const MEASURED = ['ingestion', 'readers', 'control-plane', 'evaluator', 'kafka', 'clickHouse'] as const;
type Used = Readonly<Record<(typeof MEASURED)[number], number>>;

/** What an event costs each of the separate services and engines, at full load and at a low rate, for small and for large spans. */
export async function* measureCapacity(): AsyncGenerator<CapacityFigures> {
  const kafkaDir = mkdtempSync(join(tmpdir(), 'assay-capacity-'));
  const kafka = await startKafka({ dir: kafkaDir });
  const clickHouse = await startClickHouse();
  process.env['KAFKA_BROKERS'] = kafka.brokers;
  process.env['CLICKHOUSE_URL'] = clickHouse.url;
  const stopDocuments = await startEngines(['MONGODB_URL']);
  try {
    for (const size of SIZES) yield await measureSize({ kafka, kafkaDir, clickHouse }, size);
  } finally {
    await Promise.all([stopDocuments(), clickHouse.stop(), kafka.stop()]);
    rmSync(kafkaDir, { recursive: true, force: true });
  }
}

async function measureSize(
  engines: Engines,
  { spanBytes, requests, warmUps }: (typeof SIZES)[number],
): Promise<CapacityFigures> {
  const prose = new Prose(join(repository, 'node_modules'), seeded(spanBytes));
  const newBodies = (count: number, traces: number) =>
    Array.from({ length: count }, () => traceBody(prose, traces, spanBytes));
  const traces = SPANS_PER_REQUEST / SPANS_PER_TRACE;
  const [warmUp, bodies] = [newBodies(requests * warmUps, traces), newBodies(requests, traces)];
  const events = requests * SPANS_PER_REQUEST;
  const floor = await measureFloor({ bodies, warmUp, events });
  const name = randomName();
  const everywhere = { KAFKA_PARTITIONS: String(PARTITIONS), FORWARD_RETRY_MAX_MS: '1000' };
  const stack = await startSplit(enginesFromEnvironment(), { name, everywhere, separateReaders: true });
  try {
    await send(stack, warmUp);
    await forwarded(stack);
    const { storing, forwarding } = await measureFullLoad(stack, engines, bodies);
    const sent = warmUp.length * SPANS_PER_REQUEST + events;
    const bytes = {
      log: bytesOfLog(engines.kafkaDir, `test-${name}-events`) / sent,
      store: (await bytesOfStore(engines.clickHouse, `test_${name}`)) / sent,
    };
    const perSecond = PACED_PER_SECOND / SPANS_PER_TRACE;
    const paced = newBodies((PACED_WARM_UP_SECONDS + PACED_SECONDS) * perSecond, 1);
    await sendPaced(stack, paced.splice(0, PACED_WARM_UP_SECONDS * perSecond), perSecond);
    const before = usedBy(stack, engines);
    await sendPaced(stack, paced, perSecond);
    const atLowRate = difference(before, usedBy(stack, engines), PACED_SECONDS);
    return { spanBytes, floor, bytes, costs: costsOf({ events, storing, forwarding, atLowRate }) };
  } finally {
    await stack.stop();
  }
}

/** Seconds of CPU while events are stored and the control plane is frozen, and while it takes what was forwarded later. */
async function measureFullLoad(stack: Stack, engines: Engines, bodies: readonly Buffer[]) {
  const controlPlane = stack.pid('control-plane');
  const start = usedBy(stack, engines);
  process.kill(controlPlane, 'SIGSTOP');
  await send(stack, bodies).finally(() => process.kill(controlPlane, 'SIGCONT'));
  const inserted = usedBy(stack, engines);
  await forwarded(stack);
  return { storing: difference(start, inserted), forwarding: difference(inserted, usedBy(stack, engines)) };
}

function costsOf({
  events,
  storing,
  forwarding,
  atLowRate,
}: {
  readonly events: number;
  readonly storing: Used;
  readonly forwarding: Used;
  /** Cores at {@link PACED_PER_SECOND}. */
  readonly atLowRate: Used;
}): Cost[] {
  const cost = (name: string, seconds: number, cores: number): Cost => {
    const perEvent = (seconds * 1e6) / events;
    return { name, perEvent, fixedCores: Math.max(0, cores - (perEvent * PACED_PER_SECOND) / 1e6) };
  };
  const both = (name: keyof Used) => storing[name] + forwarding[name];
  const forward = forwarding.readers + both('control-plane');
  const lowRateOfForwarding = (forward / events) * PACED_PER_SECOND;
  const readers = atLowRate.readers + atLowRate['control-plane'] - lowRateOfForwarding;
  return [
    cost('ingestion', both('ingestion'), atLowRate.ingestion),
    cost('readers, storing', storing.readers, readers),
    cost('readers and control plane, forwarding', forward, lowRateOfForwarding),
    cost('evaluator, without metrics', both('evaluator'), atLowRate.evaluator),
    cost('Kafka, one broker', both('kafka'), atLowRate.kafka),
    cost('ClickHouse', both('clickHouse'), atLowRate.clickHouse),
  ];
}

function usedBy(stack: Stack, { kafka, clickHouse }: Engines): Used {
  const engines = { kafka: kafka.pid, clickHouse: clickHouse.pid };
  const services = ['ingestion', 'readers', 'control-plane', 'evaluator'] as const;
  const ofServices = services.map((name) => [name, cpuSeconds(stack.pid(name))]);
  const ofEngines = Object.entries(engines).map(([name, pid]) => [name, cpuSeconds(pid)]);
  return Object.fromEntries([...ofServices, ...ofEngines]) as Used;
}

function difference(before: Used, after: Used, divisor = 1): Used {
  return Object.fromEntries(MEASURED.map((name) => [name, (after[name] - before[name]) / divisor])) as Used;
}

/** Sends bodies at full speed, and waits until they are stored and small parts are merged. */
async function send(stack: Stack, bodies: readonly Buffer[]): Promise<void> {
  const { refused } = await sendLoad({ ...target(stack), bodies, concurrency: CONCURRENCY });
  if (refused > 0) throw new Error(`${refused} requests were refused`);
  await stored(stack);
  await new Promise((resume) => setTimeout(resume, MERGE_TAIL_MS));
}

async function sendPaced(stack: Stack, bodies: readonly Buffer[], perSecond: number): Promise<void> {
  const startedAt = performance.now();
  const sent: Promise<{ readonly refused: number }>[] = [];
  for (const [index, body] of bodies.entries()) {
    const dueAt = startedAt + (index * 1_000) / perSecond;
    await new Promise((resume) => setTimeout(resume, Math.max(0, dueAt - performance.now())));
    sent.push(sendLoad({ ...target(stack), bodies: [body], concurrency: 1 }));
  }
  const results = await Promise.all(sent);
  if (results.some(({ refused }) => refused > 0)) throw new Error('requests were refused at the low rate');
}

/** Exporters reach ingestion without the data plane, as behind the ingress of the chart. */
function target(stack: Stack) {
  return {
    url: `${stack.urlOf('ingestion')}/opentelemetry/v1/traces`,
    headers: {
      'content-type': 'application/x-protobuf',
      'content-encoding': 'gzip',
      authorization: `Bearer ${stack.apiKey}`,
    },
  };
}

/** Bytes of the segments of a topic's partitions. */
function bytesOfLog(dir: string, topic: string): number {
  const isPartition = new RegExp(`^${topic}-\\d+$`);
  const folders = readdirSync(dir, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && isPartition.test(entry.name),
  );
  const files = folders.flatMap((folder) => {
    const path = join(folder.parentPath, folder.name);
    return readdirSync(path).flatMap((name) => (name.endsWith('.log') ? [join(path, name)] : []));
  });
  return files.reduce((sum, file) => sum + statSync(file).size, 0);
}

async function bytesOfStore({ url }: ClickHouse, database: string): Promise<number> {
  const body = `SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = '${database}' FORMAT TSV`;
  const response = await fetch(url, { method: 'POST', body });
  if (!response.ok) throw new Error(`ClickHouse responded ${response.status}: ${await response.text()}`);
  return Number(await response.text());
}
