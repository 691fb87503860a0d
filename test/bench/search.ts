import { callAll } from './call-all.js';
import { searchCases, type SearchCase, type SearchTarget } from './search-cases.js';
import { fillSearch } from './search-load.js';
import { openSingleProcess, openSplit, type SearchProduct } from './search-products.js';
import { percentile } from './send-load.js';

/** Milliseconds of one query. */
export interface QueryCost {
  readonly p50: number;
  readonly p99: number;
  /** CPU of all processes of the product that answer, while the query runs. */
  readonly cpu: number;
}

export interface SearchFigures {
  readonly name: string;
  readonly http: QueryCost;
  /** The same question in plain SQL, in another process in the same minute. */
  readonly sql: QueryCost;
  /** The same on a narrow table that holds no JSON, also merged. */
  readonly floor: QueryCost;
  readonly target: SearchTarget;
  readonly residentMegabytes: number;
}

/** Number of events; `ASSAY_BENCH_SEARCH_EVENTS` changes it. */
export const SEARCH_EVENTS = Number(process.env.ASSAY_BENCH_SEARCH_EVENTS ?? 100_000);
/** The product and plain SQL take turns, so that both see the same load of the machine. */
const ROUNDS = Number(process.env.ASSAY_BENCH_SEARCH_ROUNDS ?? 4);
const RUNS_PER_ROUND = 10;
/** A case has no further round after this time, so that all cases of a million events take a few minutes. */
const MAX_CASE_MS = Number(process.env.ASSAY_BENCH_SEARCH_CASE_MS ?? 15_000);

/**
 * The main queries over HTTP, one after the other, with unmerged parts and updated rows, beside the same questions in
 * plain SQL on a copy of the rows in one merged table, and on a narrow one.
 */
export function measureSearch(): AsyncGenerator<SearchFigures> {
  return measureOn(openSingleProcess);
}

/** The same on separate services, with both questions asked of one ClickHouse over HTTP. */
export function measureSearchOnEngines(): AsyncGenerator<SearchFigures> {
  return measureOn(openSplit);
}

async function* measureOn(open: () => Promise<SearchProduct>): AsyncGenerator<SearchFigures> {
  const product = await open();
  try {
    const load = await fillSearch(product.stack, SEARCH_EVENTS);
    const { parts, projectId } = await product.copy();
    process.stderr.write(`parts of the narrow table after loading: ${parts}\n`);
    for (const one of searchCases(load, projectId)) yield await measureCase(product, one);
  } finally {
    await product.stop();
  }
}

async function measureCase(
  { stack, cpuSeconds: used, residentMegabytes: resident, plain }: SearchProduct,
  { name, call, sql, floor, target }: SearchCase,
): Promise<SearchFigures> {
  const http = new RoundFigures();
  const direct = new RoundFigures();
  const narrow = new RoundFigures();
  const calls = Array<typeof call>(RUNS_PER_ROUND).fill(call);
  await callAll(stack, [call], 1);
  const startedAt = performance.now();
  for (let round = 0; round < ROUNDS && performance.now() - startedAt < MAX_CASE_MS; round++) {
    const before = used();
    const { latencies } = await callAll(stack, calls, 1);
    http.add(latencies, ((used() - before) * 1_000) / RUNS_PER_ROUND);
    for (const [figures, statement] of [
      [direct, sql],
      [narrow, floor],
    ] as const) {
      const measured = await plain(statement, RUNS_PER_ROUND);
      figures.add(measured.latencies, measured.cpuMs);
    }
  }
  return {
    name,
    http: http.cost,
    sql: direct.cost,
    floor: narrow.cost,
    target,
    residentMegabytes: resident(),
  };
}

/** What several rounds took. */
class RoundFigures {
  readonly #latencies: number[] = [];
  readonly #cpu: number[] = [];

  add(latencies: readonly number[], cpu: number): void {
    this.#latencies.push(...latencies);
    this.#cpu.push(cpu);
  }

  get cost(): QueryCost {
    const sorted = [...this.#latencies].sort((a, b) => a - b);
    const cpu = this.#cpu.reduce((sum, one) => sum + one, 0) / this.#cpu.length;
    return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), cpu };
  }
}
