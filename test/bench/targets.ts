import { measureEvents } from './events.js';
import { measureForwardAdded } from './forward.js';
import { measureFreshness } from './freshness.js';
import { INGEST_CASES } from './ingest-cases.js';
import { measureIngest, type IngestFigures } from './ingest.js';
import { measureKafka } from './kafka.js';
import { measureLoading } from './loading.js';

/** One target of figures.md and what was measured. */
export interface TargetFigures {
  readonly path: string;
  readonly unit: string;
  readonly measured: number;
  /** Absent: a case beside the target of the row above. */
  readonly target?: number;
  /** Ratio to bare Node, which inflates and decodes the same bodies in the same run. */
  readonly timesNode?: number;
}

const MICROSECONDS = 'µs of CPU per event';

/** Measures every target. Takes minutes, and starts Kafka, ClickHouse and MongoDB for the last ones. */
export async function* measureTargets(): AsyncGenerator<TargetFigures> {
  yield* ingestTargets();
  const { alone, grouped, update } = await measureEvents();
  yield row('JSON, batches of 100 events of 2 KB, sessions of ten', grouped.whole, 90);
  yield { path: 'the same, a session for each event', unit: MICROSECONDS, measured: alone.whole };
  yield row('JSON, update of one event', update.whole, 350);
  yield* freshnessTargets();
  const loaded = await measureLoading();
  const found = { unit: 's', measured: loaded.foundAfter, target: 5 };
  yield { path: `${loaded.events} events, found after the last response`, ...found };
  yield* kafkaTargets();
}

async function* ingestTargets(): AsyncGenerator<TargetFigures> {
  const [byDefault, , spans, large, , single] = INGEST_CASES;
  const first = await measure(byDefault);
  const ratio = first.whole / first.acceptFloor;
  yield { path: 'default settings, traces of 2 KB', unit: '× bare Node', measured: ratio, target: 12 };
  yield row('forwarding, added', await measureForwardAdded(), 15);
  for (const [one, target] of [
    [spans, 68],
    [large, 260],
    [single, 250],
  ] as const) {
    const figures = await measure(one);
    yield { ...row(figures.name, figures.whole, target), timesNode: figures.whole / figures.acceptFloor };
    if (one === spans)
      yield { path: 'resident', unit: 'MB', measured: figures.residentMegabytes, target: 700 };
  }
}

function measure(one: (typeof INGEST_CASES)[number] | undefined): Promise<IngestFigures> {
  if (one === undefined) throw new Error('an ingest case is missing');
  return measureIngest(one);
}

async function* freshnessTargets(): AsyncGenerator<TargetFigures> {
  const targets = [
    { p50: 120, p99: 250 },
    { p50: 200, p99: 500 },
  ];
  for (const [index, { name, p50, p99 }] of (await measureFreshness()).entries()) {
    const target = targets[index];
    yield { path: `freshness, ${name}, p50`, unit: 'ms', measured: p50, target: target?.p50 ?? 0 };
    yield { path: `freshness, ${name}, p99`, unit: 'ms', measured: p99, target: target?.p99 ?? 0 };
  }
}

async function* kafkaTargets(): AsyncGenerator<TargetFigures> {
  const targets = [32, 100];
  for await (const { name, ingestion, acceptFloor } of measureKafka()) {
    const target = targets.shift();
    if (target === undefined) continue;
    yield { ...row(name, ingestion, target), timesNode: ingestion / acceptFloor };
  }
}

function row(path: string, measured: number, target: number): TargetFigures {
  return { path, unit: MICROSECONDS, measured, target };
}
