import { buildCommit } from './build-commit.js';
import { EVENT_CASES, measureEvents, type MeasuredEvents } from './events.js';
import { measureFloor, measureProduct } from './ingest.js';
import { INGEST_CASES, makeLoad, type IngestCase, type IngestLoad } from './ingest-cases.js';

/** Medians of the pairs of one case. */
export interface AgainstFigures {
  readonly name: string;
  readonly events: number;
  /** Microseconds of CPU per event of bare Node; absent for JSON events. */
  readonly floor?: number;
  /** The same of the other commit and of the working tree. */
  readonly other: number;
  readonly mine: number;
  /** `mine / other` within one pair. */
  readonly ratio: number;
  /** Absent for JSON events. */
  readonly residentMegabytes?: { readonly other: number; readonly mine: number };
}

const PAIRS = Number(process.env.ASSAY_BENCH_PAIRS ?? 3);

/**
 * Compares the working tree with another commit, on the load of the working tree: both take turns, so that other work on
 * the machine concerns both.
 * @param filter part of the names of the cases, or `ingest` for those of OTLP; all by default
 */
export async function* measureAgainst(ref: string, filter = ''): AsyncGenerator<AgainstFigures> {
  const root = buildCommit(ref);
  const areAllOfOtlp = 'ingest'.includes(filter);
  for (const one of INGEST_CASES.filter(({ name }) => areAllOfOtlp || name.includes(filter)))
    yield await measureCase(one, root);
  if (EVENT_CASES.some((name) => name.includes(filter)))
    for (const one of await measureEventCases(root)) if (one.name.includes(filter)) yield one;
}

/** The cases of JSON events are measured one after the other in one process, so that each pair has them all. */
async function measureEventCases(root: string): Promise<readonly AgainstFigures[]> {
  const pairs: { readonly other: MeasuredEvents; readonly mine: MeasuredEvents }[] = [];
  for (let index = 0; index < PAIRS; index++) {
    const [first, second] = [index % 2 === 1 ? undefined : root, index % 2 === 1 ? root : undefined];
    const [one, two] = [await measureEvents({ root: first }), await measureEvents({ root: second })];
    pairs.push(first === undefined ? { mine: one, other: two } : { mine: two, other: one });
  }
  return (['alone', 'grouped', 'update'] as const).map((of) => ({
    name: pairs[0]?.mine[of].name ?? of,
    events: pairs[0]?.mine[of].events ?? 0,
    other: median(pairs.map(({ other }) => other[of].whole)),
    mine: median(pairs.map(({ mine }) => mine[of].whole)),
    ratio: median(pairs.map(({ mine, other }) => mine[of].whole / other[of].whole)),
  }));
}

async function measureCase(of: IngestCase, root: string): Promise<AgainstFigures> {
  const load = makeLoad(of);
  const pairs: Awaited<ReturnType<typeof measurePair>>[] = [];
  for (let index = 0; index < PAIRS; index++) pairs.push(await measurePair(load, root, index % 2 === 1));
  const medianOf = (figure: (pair: (typeof pairs)[number]) => number) => median(pairs.map(figure));
  return {
    name: of.name,
    events: load.events,
    floor: medianOf(({ floor }) => floor),
    other: medianOf(({ other }) => other.whole),
    mine: medianOf(({ mine }) => mine.whole),
    ratio: medianOf(({ mine, other }) => mine.whole / other.whole),
    residentMegabytes: {
      other: medianOf(({ other }) => other.residentMegabytes),
      mine: medianOf(({ mine }) => mine.residentMegabytes),
    },
  };
}

async function measurePair(load: IngestLoad, root: string, mineFirst: boolean) {
  const floor = await measureFloor(load);
  if (mineFirst) {
    const mine = await measureProduct(load);
    return { floor, mine, other: await measureProduct(load, root) };
  }
  const other = await measureProduct(load, root);
  return { floor, other, mine: await measureProduct(load) };
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
