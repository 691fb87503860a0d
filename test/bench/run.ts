import { measureAgainst } from './against.js';
import { readArguments } from './arguments.js';
import { measureBusyEvaluations } from './evaluators.js';
import { measureEvents } from './events.js';
import { type ForwardFigures, measureForward, measureForwardOnEngines } from './forward.js';
import { measureFreshness } from './freshness.js';
import { measureGrpc } from './grpc.js';
import { INGEST_CASES } from './ingest-cases.js';
import { measureIngest } from './ingest.js';
import { measureKafka } from './kafka.js';
import { measureLargeDataset } from './large-dataset.js';
import { measureLoading } from './loading.js';
import { measureNeighbour } from './neighbour.js';
import { measureOverload } from './overload.js';
import { measureResources, measureResourcesOnEngines, type ResourceFigures } from './resources.js';
import { measurePassing } from './passing.js';
import type { Part } from './part.js';
import { measurePython } from './python.js';
import { SEARCH_EVENTS, measureSearch, measureSearchOnEngines, type SearchFigures } from './search.js';
import { measureSearchAgainst } from './search-against.js';
import { measureStart } from './start.js';
import { measureSustained } from './sustained.js';
import { measureTargets } from './targets.js';
import { measureTemplates } from './templates.js';
import { TRICKLE } from './trickle.js';
import { THREADS, type ThreadTimes } from './thread-time.js';

const INGEST: Part = {
  title: 'ingest: µs of CPU per event',
  columns: [
    'case',
    'events',
    'accept floor',
    'store floor',
    'whole',
    '× bare Node',
    '× floors',
    'events/CPU-s',
    'p50 ms',
    'p99 ms',
    'MB resident',
  ],
  async *rows(filter) {
    const all = 'ingest'.includes(filter);
    for (const one of INGEST_CASES.filter(({ name }) => all || name.includes(filter))) {
      const { acceptFloor, storeFloor, whole, acceptP50, acceptP99, ...figures } = await measureIngest(one);
      const costs = [
        acceptFloor.toFixed(1),
        storeFloor.toFixed(1),
        whole.toFixed(1),
        (whole / acceptFloor).toFixed(1),
        (whole / (acceptFloor + storeFloor)).toFixed(2),
        Math.round(1e6 / whole),
      ];
      yield [
        figures.name,
        figures.events,
        ...costs,
        acceptP50.toFixed(1),
        acceptP99.toFixed(1),
        Math.round(figures.residentMegabytes),
      ];
    }
  },
};

const GRPC: Part = {
  title: 'grpc: µs of CPU per span by OTLP over HTTP and over gRPC',
  columns: ['case', 'spans', 'by HTTP', 'by gRPC', 'gRPC / HTTP'],
  async *rows() {
    for await (const { name, spans, http, grpc } of measureGrpc())
      yield [name, spans, http.toFixed(1), grpc.toFixed(1), (grpc / http).toFixed(2)];
  },
};

const EVENTS: Part = {
  title: 'events: µs of CPU per event or update',
  columns: ['case', 'events', 'whole', 'events/CPU-s', 'p50 ms', 'p99 ms'],
  async *rows() {
    const { alone, grouped, update } = await measureEvents();
    for (const { name, events, whole, p50, p99 } of [alone, grouped, update])
      yield [name, events, whole.toFixed(1), Math.round(1e6 / whole), p50.toFixed(1), p99.toFixed(1)];
  },
};

const BY_THREAD: Part = {
  title: 'threads: µs of CPU per event or update, by thread',
  columns: ['case', 'whole', ...THREADS],
  async *rows() {
    const row = ({ name, whole, threads }: { name: string; whole: number; threads: ThreadTimes }) => [
      name,
      ...[whole, ...THREADS.map((group) => threads[group])].map((one) => one.toFixed(1)),
    ];
    for (const one of INGEST_CASES) yield row(await measureIngest(one));
    for (const FORWARD_EVENTS of ['true', 'false']) {
      const { alone, grouped, update } = await measureEvents({ settings: { FORWARD_EVENTS } });
      const suffix = FORWARD_EVENTS === 'true' ? '' : ', not forwarded';
      for (const one of [alone, grouped, update]) yield row({ ...one, name: `${one.name}${suffix}` });
    }
  },
};

const search = (title: string, measure: () => AsyncGenerator<SearchFigures>): Part => ({
  title: `${title} among ${SEARCH_EVENTS.toLocaleString('en')} events`,
  columns: [
    'query',
    'p50 ms',
    'p99 ms',
    'ms of CPU',
    'SQL p50 ms',
    'SQL p99 ms',
    'SQL ms of CPU',
    '× SQL p50',
    '× SQL CPU',
    'target at 1 M: p99 ms, × SQL p50',
    'MB resident',
  ],
  async *rows() {
    for await (const { name, http, sql, target, residentMegabytes } of measure()) {
      const costs = [http.p50, http.p99, http.cpu, sql.p50, sql.p99, sql.cpu].map((ms) => ms.toFixed(1));
      const ratios = [http.p50 / sql.p50, http.cpu / sql.cpu].map((ratio) => ratio.toFixed(2));
      const targets = [target.p99, ...(target.timesSql === undefined ? [] : [target.timesSql])].join(', ');
      yield [name, ...costs, ...ratios, targets, Math.round(residentMegabytes)];
    }
  },
});

const SEARCH = search('search:', measureSearch);

const FRESHNESS: Part = {
  title: 'freshness: accepted to found',
  columns: ['case', 'events', 'p50 ms', 'p99 ms'],
  async *rows() {
    for (const { name, canaries, p50, p99 } of await measureFreshness())
      yield [name, canaries, p50.toFixed(0), p99.toFixed(0)];
  },
};

const forward = (title: string, measure: () => AsyncGenerator<ForwardFigures>): Part => ({
  title,
  columns: ['case', 'events', 'whole', 'forwarding', 'events forwarded/CPU-s'],
  async *rows() {
    for await (const { name, events, whole, forwarding } of measure())
      yield [
        name,
        events,
        whole.toFixed(1),
        forwarding.toFixed(1),
        forwarding > 0 ? Math.round(1e6 / forwarding) : '',
      ];
  },
});

const FORWARD = forward('forward: µs of CPU per event', measureForward);

const KAFKA: Part = {
  title: 'kafka: µs of CPU of the ingestion process per event',
  columns: [
    'case',
    'events',
    'accept floor',
    'ingestion',
    '× floor',
    'events/CPU-s',
    'p50 ms',
    'p99 ms',
    'MB resident',
  ],
  async *rows() {
    for await (const { name, events, acceptFloor, ingestion, p50, p99, residentMegabytes } of measureKafka())
      yield [
        name,
        events,
        acceptFloor.toFixed(1),
        ingestion.toFixed(1),
        (ingestion / acceptFloor).toFixed(2),
        Math.round(1e6 / ingestion),
        p50.toFixed(1),
        p99.toFixed(1),
        Math.round(residentMegabytes),
      ];
  },
};

const resources = (title: string, measure: () => AsyncGenerator<ResourceFigures>): Part => ({
  title,
  columns: ['kind', 'operation', 'p50 ms', 'p99 ms', 'p50 ms of eight', 'p99 ms of eight', 'ms of CPU'],
  async *rows() {
    for await (const { kind, operation, alone, eight, cpu } of measure())
      yield [
        kind,
        operation,
        ...[alone.p50, alone.p99, eight.p50, eight.p99, cpu].map((ms) => ms.toFixed(1)),
      ];
  },
});

const RESOURCES = resources('resources: 10,000 documents of each kind', measureResources);

const LARGE_DATASET: Part = {
  title: 'datasets: 1,000 and 100,000 datapoints',
  columns: ['operation', 'datapoints', 'p50 ms', 'p99 ms', 'ms of CPU', 'MB grown'],
  async *rows() {
    for await (const { operation, size, latency, cpu, grown } of measureLargeDataset())
      yield [
        operation,
        size,
        ...[latency.p50, latency.p99, cpu].map((ms) => ms.toFixed(1)),
        Math.round(grown),
      ];
  },
};

const PASSING: Part = {
  title: 'passing: direct to the control plane and through the data plane',
  columns: ['operation', 'direct p50 ms', 'through p50 ms', 'adds', 'direct p99 ms', 'through p99 ms'],
  async *rows() {
    for await (const { operation, direct, through } of measurePassing()) {
      const figures = [direct.p50, through.p50, through.p50 - direct.p50, direct.p99, through.p99];
      yield [operation, ...figures.map((ms) => ms.toFixed(2))];
    }
  },
};

const NEIGHBOUR: Part = {
  title: 'neighbour: a quiet project beside the worst searches, lists and updates of another',
  columns: ['case', 'visible p50 ms', 'visible max ms', 'look-up p50 ms', 'look-up p99 ms'],
  async *rows() {
    for await (const { name, visibleP50, visibleMax, lookUpP50, lookUpP99 } of measureNeighbour())
      yield [name, visibleP50.toFixed(0), visibleMax.toFixed(0), lookUpP50.toFixed(1), lookUpP99.toFixed(1)];
  },
};

const OVERLOAD: Part = {
  title: 'overload: a quiet project beside loads beyond the capacity',
  columns: ['case', 'p50 ms', '× alone', 'p99 ms', '× alone', 'CPU wait ×', 'lag p99 ms', 'MB resident'],
  async *rows() {
    for await (const { name, p50, p99, ratio, slowdown, lagP99Ms, residentMegabytes } of measureOverload())
      yield [
        name,
        p50.toFixed(1),
        ratio.p50.toFixed(1),
        p99.toFixed(1),
        ratio.p99.toFixed(1),
        slowdown.toFixed(2),
        lagP99Ms.toFixed(0),
        Math.round(residentMegabytes),
      ];
  },
};

const PYTHON: Part = {
  title: 'python: evaluations of PYTHON metrics',
  columns: ['case', 'evaluations', 'per second', 'p50 ms', 'p99 ms', 'ms of CPU', 'MB at start', 'MB at end'],
  async *rows() {
    for await (const { name, evaluations, perSecond, latency, cpuMs, residentMegabytes } of measurePython())
      yield [
        name,
        evaluations,
        Math.round(perSecond),
        ...[latency.p50, latency.p99, cpuMs].map((ms) => ms.toFixed(1)),
        ...[residentMegabytes.start, residentMegabytes.end].map((megabytes) => Math.round(megabytes)),
      ];
  },
};

const EVALUATORS: Part = {
  title: 'evaluators: PYTHON metrics of one line within 100 ms, on a machine that is busy',
  columns: ['case', 'evaluations', 'scored', 'timeout', 'machine_busy', 'p50 ms', 'p99 ms', 'longest ms'],
  async *rows() {
    for await (const { name, evaluations, scored, timeouts, machineBusy, ...ms } of measureBusyEvaluations())
      yield [
        ...[name, evaluations, scored, timeouts, machineBusy],
        ...[ms.p50Ms, ms.p99Ms, ms.maxMs].map((one) => one.toFixed(1)),
      ];
  },
};

const SUSTAINED: Part = {
  title: 'sustained: memory and CPU at capacity',
  columns: [
    'seconds',
    'events',
    'refused',
    's of CPU',
    ...['resident', 'anonymous', 'peak'].map((kind) => `MB ${kind}`),
    ...THREADS.map((thread) => `µs per event: ${thread}`),
    '× bare Node',
  ],
  async *rows() {
    for await (const { perEvent, timesNode, ...figures } of measureSustained()) {
      const { seconds, events, refused, cpu, resident, anonymous, peak } = figures;
      const whole = [cpu, resident, anonymous, peak].map(Math.round);
      const threads = THREADS.map((thread) => Math.round(perEvent[thread]));
      yield [seconds, events, refused, ...whole, ...threads, timesNode.toFixed(1)];
    }
  },
};

const TEMPLATES: Part = {
  title:
    'templates: ms of CPU per rendered prompt; medians of ms in this thread, through a worker, and 16 at a time',
  columns: ['case', 'KB', 'renderings', 'ms of CPU', 'here', 'worker', 'worker, 16'],
  async *rows() {
    for await (const { name, kilobytes, renderings, ...times } of measureTemplates()) {
      const { cpuMs, hereMs, workerMs, batchMs } = times;
      const figures = [cpuMs, hereMs, workerMs, batchMs].map((ms) => ms.toFixed(3));
      yield [name, Math.round(kilobytes), renderings, ...figures];
    }
  },
};

const LOADING: Part = {
  title: 'loading: JSON events in batches of 500, sent as fast as they are taken',
  columns: ['events', 's to send', 'sent again', 's until found', 'whole', 'MB resident'],
  async *rows() {
    const { events, sentAfter, repeated, foundAfter, whole, residentMegabytes } = await measureLoading();
    const seconds = [sentAfter.toFixed(1), repeated, foundAfter.toFixed(1)];
    yield [events, ...seconds, whole.toFixed(1), Math.round(residentMegabytes)];
  },
};

const START: Part = {
  title: 'start: npm start on a fresh clone with empty caches, then once more',
  columns: ['case', 'steps, s', 's', 'MB of packages', 'MB of sources and compiled code'],
  async *rows() {
    for await (const { name, steps, seconds, packagesMegabytes, compiledMegabytes } of measureStart())
      yield [name, steps, seconds.toFixed(1), Math.round(packagesMegabytes), Math.round(compiledMegabytes)];
  },
};

const TARGETS: Part = {
  title: 'targets',
  columns: ['path', 'unit', 'measured', 'target', '× target', '× bare Node'],
  async *rows() {
    for await (const { path, unit, measured, target, timesNode } of measureTargets()) {
      const ratios = [target ? (measured / target).toFixed(2) : '', timesNode?.toFixed(1) ?? ''];
      yield [path, unit, measured.toFixed(1), target ?? '', ...ratios];
    }
  },
};

/** Parts that need only this machine and run when no name is given. */
const PARTS = [INGEST, EVENTS, SEARCH, FRESHNESS, FORWARD, RESOURCES, LARGE_DATASET];

/**
 * Parts that run only when they are named. All but `start`, `overload`, `neighbour`, `loading`, `grpc`, `threads`, `evaluators` and `python` start Kafka, ClickHouse and MongoDB, or use those that the environment
 * names.
 */
const NAMED_ONLY: Readonly<Record<string, Part>> = {
  targets: TARGETS,
  loading: LOADING,
  overload: OVERLOAD,
  grpc: GRPC,
  neighbour: NEIGHBOUR,
  kafka: KAFKA,
  'search-engines': search('search, separate services:', measureSearchOnEngines),
  'forward-engines': forward(
    'forward: µs of CPU of data plane and control plane per event',
    measureForwardOnEngines,
  ),
  passing: PASSING,
  evaluators: EVALUATORS,
  python: PYTHON,
  start: START,
  sustained: SUSTAINED,
  threads: BY_THREAD,
  templates: TEMPLATES,
  trickle: TRICKLE,
  'resources-engines': resources(
    'resources: 10,000 documents of each kind, separate services',
    measureResourcesOnEngines,
  ),
};

/** Medians of alternating pairs: another commit and the working tree. */
const against = (ref: string): Part => ({
  title: `against ${ref}: µs of CPU per event, medians of alternating pairs`,
  columns: ['case', 'events', 'bare Node', ref, 'working tree', 'ratio', 'MB resident', 'before'],
  async *rows(filter) {
    for await (const { name, events, residentMegabytes, ratio, ...costs } of measureAgainst(ref, filter)) {
      const { floor, other, mine } = costs;
      const { mine: now, other: before } = residentMegabytes ?? {};
      const resident = [now, before].map((megabytes) => (megabytes ? Math.round(megabytes) : ''));
      yield [
        name,
        events,
        ...[floor, other, mine].map((cost) => cost?.toFixed(1) ?? ''),
        ratio.toFixed(3),
        ...resident,
      ];
    }
  },
});

/** The same of queries. */
const searchAgainst = (ref: string): Part => ({
  title: `search against ${ref}: ms of CPU of a query among ${SEARCH_EVENTS.toLocaleString('en')} events, medians of alternating rounds`,
  columns: ['query', ref, 'working tree', 'ratio', 'ratio in each order', 'ratio of the durations'],
  async *rows() {
    for await (const { name, other, mine, cpuRatio, cpuRatios, durationRatio } of measureSearchAgainst(ref))
      yield [
        ...[name, other.toFixed(1), mine.toFixed(1), cpuRatio.toFixed(3)],
        ...[cpuRatios.map((ratio) => ratio.toFixed(3)).join(', '), durationRatio.toFixed(3)],
      ];
  },
});

/** Returns the parts that the arguments of the command select. */
function select(filter: string): readonly Part[] {
  const only = NAMED_ONLY[filter];
  if (only) return [only];
  const named = PARTS.filter(({ title }) => title.split(':')[0]!.includes(filter));
  return named.length > 0 ? named : [INGEST];
}

/**
 * `npm run bench [-- NAME]`: measures and prints tables; NAME limits it to parts or ingest cases whose name contains it, or is one of
 * {@link NAMED_ONLY}. With `--against REF`, before or behind NAME, it compares the ingest cases and the JSON events with another commit, or, when NAME is
 * `search`, the queries.
 */
async function main(given: readonly string[]): Promise<void> {
  const { filter, against: ref } = readArguments(given);
  const comparison = filter === 'search' ? searchAgainst : against;
  for (const part of ref === undefined ? select(filter) : [comparison(ref)]) {
    process.stdout.write(
      `\n${part.title}\n\n| ${part.columns.join(' | ')} |\n|${'---|'.repeat(part.columns.length)}\n`,
    );
    for await (const cells of part.rows(filter)) process.stdout.write(`| ${cells.join(' | ')} |\n`);
  }
}

void main(process.argv.slice(2));
