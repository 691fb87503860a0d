import { measureEvents } from './events.js';
import { type ForwardFigures, measureForward } from './forward.js';
import { measureFreshness } from './freshness.js';
import { measureGrpc } from './grpc.js';
import { INGEST_CASES } from './ingest-cases.js';
import { measureIngest } from './ingest.js';
import { measureKafka } from './kafka.js';
import { measureLoading } from './loading.js';
import type { Part } from './part.js';
import { measureSustained } from './sustained.js';
import { THREADS, type ThreadTimes } from './thread-time.js';

export const INGEST: Part = {
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

export const GRPC: Part = {
  title: 'grpc: µs of CPU per span by OTLP over HTTP and over gRPC',
  columns: ['case', 'spans', 'by HTTP', 'by gRPC', 'gRPC / HTTP'],
  async *rows() {
    for await (const { name, spans, http, grpc } of measureGrpc())
      yield [name, spans, http.toFixed(1), grpc.toFixed(1), (grpc / http).toFixed(2)];
  },
};

export const EVENTS: Part = {
  title: 'events: µs of CPU per event or update',
  columns: ['case', 'events', 'whole', 'events/CPU-s', 'p50 ms', 'p99 ms'],
  async *rows() {
    const { alone, grouped, update } = await measureEvents();
    for (const { name, events, whole, p50, p99 } of [alone, grouped, update])
      yield [name, events, whole.toFixed(1), Math.round(1e6 / whole), p50.toFixed(1), p99.toFixed(1)];
  },
};

export const BY_THREAD: Part = {
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

export const FRESHNESS: Part = {
  title: 'freshness: accepted to found',
  columns: ['case', 'events', 'p50 ms', 'p99 ms'],
  async *rows() {
    for (const { name, canaries, p50, p99 } of await measureFreshness())
      yield [name, canaries, p50.toFixed(0), p99.toFixed(0)];
  },
};

export const forward = (title: string, measure: () => AsyncGenerator<ForwardFigures>): Part => ({
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

export const FORWARD = forward('forward: µs of CPU per event', measureForward);

export const KAFKA: Part = {
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

export const SUSTAINED: Part = {
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

export const LOADING: Part = {
  title: 'loading: JSON events in batches of 500, sent as fast as they are taken',
  columns: ['events', 's to send', 'sent again', 's until found', 'whole', 'MB resident'],
  async *rows() {
    const { events, sentAfter, repeated, foundAfter, whole, residentMegabytes } = await measureLoading();
    const seconds = [sentAfter.toFixed(1), repeated, foundAfter.toFixed(1)];
    yield [events, ...seconds, whole.toFixed(1), Math.round(residentMegabytes)];
  },
};
