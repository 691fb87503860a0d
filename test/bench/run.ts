import { readArguments, type BenchArguments } from './arguments.js';
import { measureForwardOnEngines } from './forward.js';
import { measureResourcesOnEngines } from './resources.js';
import type { Part } from './part.js';
import { measureSearchOnEngines } from './search.js';
import { MOVING } from './moving.js';
import { TRACING } from './tracing.js';
import { TRICKLE } from './trickle.js';
import {
  INGEST,
  GRPC,
  EVENTS,
  BY_THREAD,
  FRESHNESS,
  forward,
  FORWARD,
  KAFKA,
  SUSTAINED,
  LOADING,
} from './parts-of-ingestion.js';
import { search, SEARCH, resources, RESOURCES, LARGE_DATASET, PASSING, GROWTH } from './parts-of-reading.js';
import {
  NEIGHBOUR,
  OVERLOAD,
  PYTHON,
  EVALUATORS,
  TEMPLATES,
  START,
  TARGETS,
  CAPACITY,
} from './parts-of-services.js';
import { against, searchAgainst, searchWithoutHints } from './against-parts.js';
import { measureConsole } from './console.js';

/** Parts that need only this machine and run when no name is given. */
const PARTS = [INGEST, EVENTS, SEARCH, FRESHNESS, FORWARD, RESOURCES, LARGE_DATASET];

/**
 * Parts that run only when they are named. All but `start`, `overload`, `neighbour`, `loading`, `grpc`, `growth`, `threads`, `evaluators`, `self-tracing` and `python` start Kafka, ClickHouse and MongoDB, or use those that the environment
 * names.
 */
const NAMED_ONLY: Readonly<Record<string, Part>> = {
  targets: TARGETS,
  capacity: CAPACITY,
  loading: LOADING,
  overload: OVERLOAD,
  grpc: GRPC,
  growth: GROWTH,
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
  moving: MOVING,
  'self-tracing': TRACING,
  'resources-engines': resources(
    'resources: 10,000 documents of each kind, separate services',
    measureResourcesOnEngines,
  ),
};

/** Returns the parts that the arguments of the command select. */
function select(filter: string): readonly Part[] {
  const only = NAMED_ONLY[filter];
  if (only) return [only];
  const named = PARTS.filter(({ title }) => title.split(':')[0]!.includes(filter));
  return named.length > 0 ? named : [INGEST];
}

function partsOf({ filter, against: ref, hints }: BenchArguments): readonly Part[] {
  if (hints === 'off') return [searchWithoutHints];
  if (ref === undefined) return select(filter);
  return [filter === 'search' ? searchAgainst(ref) : against(ref)];
}

/**
 * `npm run bench [-- NAME]`: measures and prints tables; NAME limits it to parts or ingest cases whose name contains it, or is one of
 * {@link NAMED_ONLY}. With `--against REF`, before or behind NAME, it compares the ingest cases and the JSON events with another commit, or, when NAME is
 * `search`, the queries. `search --hints=off` compares the queries with an event store that remembers nothing. `console` prints one line of JSON for each budget of the console.
 */
async function main(given: readonly string[]): Promise<void> {
  const { filter, against: ref, hints } = readArguments(given);
  if (filter === 'console' && ref === undefined) return printLines(measureConsole());
  for (const part of partsOf({ filter, against: ref, hints })) {
    process.stdout.write(
      `\n${part.title}\n\n| ${part.columns.join(' | ')} |\n|${'---|'.repeat(part.columns.length)}\n`,
    );
    for await (const cells of part.rows(filter)) process.stdout.write(`| ${cells.join(' | ')} |\n`);
  }
}

/** One JSON object on each line. */
async function printLines(figures: AsyncIterable<object>): Promise<void> {
  for await (const figure of figures) process.stdout.write(`${JSON.stringify(figure)}\n`);
}

void main(process.argv.slice(2));
