import { measureEvents } from './events.js';
import { measureFreshness } from './freshness.js';
import { INGEST_CASES, measureIngest } from './ingest.js';
import { measureKafka } from './kafka.js';
import { measureSearch } from './search.js';

/** A part of the bench: a title, the columns, and the rows as they come. */
interface Part {
  readonly title: string;
  readonly columns: readonly string[];
  rows(filter: string): AsyncGenerator<readonly (string | number)[]>;
}

const INGEST: Part = {
  title: 'ingest: µs of CPU per event',
  columns: ['case', 'events', 'accept floor', 'store floor', 'whole', '× floors', 'events/CPU-s', 'p50 ms', 'p99 ms', 'MB resident'],
  async *rows(filter) {
    const all = 'ingest'.includes(filter);
    for (const one of INGEST_CASES.filter(({ name }) => all || name.includes(filter))) {
      const { acceptFloor, storeFloor, whole, ratioToFloors, acceptP50, acceptP99, ...figures } = await measureIngest(one);
      const costs = [acceptFloor.toFixed(1), storeFloor.toFixed(1), whole.toFixed(1), ratioToFloors.toFixed(2), Math.round(1e6 / whole)];
      yield [figures.name, figures.events, ...costs, acceptP50.toFixed(1), acceptP99.toFixed(1), Math.round(figures.residentMegabytes)];
    }
  },
};

const EVENTS: Part = {
  title: 'events: µs of CPU per event or update',
  columns: ['case', 'events', 'whole', 'events/CPU-s', 'p50 ms', 'p99 ms'],
  async *rows() {
    for (const { name, events, whole, p50, p99 } of await measureEvents())
      yield [name, events, whole.toFixed(1), Math.round(1e6 / whole), p50.toFixed(1), p99.toFixed(1)];
  },
};

const SEARCH: Part = {
  title: 'search: among 100,000 events',
  columns: ['query', 'matching', 'p50 ms', 'p99 ms'],
  async *rows() {
    for (const { name, matching, p50, p99 } of await measureSearch()) yield [name, matching, p50.toFixed(1), p99.toFixed(1)];
  },
};

const FRESHNESS: Part = {
  title: 'freshness: accepted to found',
  columns: ['case', 'events', 'p50 ms', 'p99 ms'],
  async *rows() {
    for (const { name, canaries, p50, p99 } of await measureFreshness()) yield [name, canaries, p50.toFixed(0), p99.toFixed(0)];
  },
};

const KAFKA: Part = {
  title: 'kafka: µs of CPU of the ingestion process per event',
  columns: ['case', 'events', 'ingestion', 'events/CPU-s', 'p50 ms', 'p99 ms', 'MB resident'],
  async *rows() {
    for await (const { name, events, ingestion, p50, p99, residentMegabytes } of measureKafka())
      yield [
        name,
        events,
        ingestion.toFixed(1),
        Math.round(1e6 / ingestion),
        p50.toFixed(1),
        p99.toFixed(1),
        Math.round(residentMegabytes),
      ];
  },
};

/** Those that need nothing but this machine. */
const PARTS = [INGEST, EVENTS, SEARCH, FRESHNESS];

/** `npm run bench [-- NAME]`: measures and prints tables; NAME limits it to parts or ingest cases whose name contains it; `kafka` starts the engines. */
async function main(filter: string): Promise<void> {
  const named = filter === 'kafka' ? [KAFKA] : PARTS.filter(({ title }) => title.split(':')[0]!.includes(filter));
  for (const part of named.length > 0 ? named : [INGEST]) {
    process.stdout.write(`\n${part.title}\n\n| ${part.columns.join(' | ')} |\n|${'---|'.repeat(part.columns.length)}\n`);
    for await (const cells of part.rows(filter)) process.stdout.write(`| ${cells.join(' | ')} |\n`);
  }
}

void main(process.argv[2] ?? '');
