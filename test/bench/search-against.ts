import { testProgramArgs } from '../harness/processes/test-program.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import type { Stack } from '../harness/stack/stack.js';
import { median } from './against.js';
import { buildCommit } from './build-commit.js';
import { callAll } from './call-all.js';
import { cpuSeconds } from './cpu-time.js';
import { forwarded } from './forwarded.js';
import { hintedCalls, type NamedCalls } from './hinted-calls.js';
import { SEARCH_EVENTS } from './search.js';
import { searchCases } from './search-cases.js';
import { fillSearch, PER_SESSION, type SearchLoad } from './search-load.js';
import { untilIdle } from './until-idle.js';

/** Medians of the rounds of one query. */
export interface SearchAgainst {
  readonly name: string;
  /** Milliseconds of CPU of the whole process for a query of the other commit and of the working tree. */
  readonly other: number;
  readonly mine: number;
  /** `mine / other` within one round: of the CPU, and of the duration. */
  readonly cpuRatio: number;
  readonly durationRatio: number;
  /** The ratio of the CPU with the other commit loaded first, and with the working tree loaded first. */
  readonly cpuRatios: readonly number[];
}

type Measured = Omit<SearchAgainst, 'cpuRatios'>;

const ROUNDS = Number(process.env.ASSAY_BENCH_SEARCH_ROUNDS ?? 12);
const RUNS_PER_ROUND = 10;
const WARM_UPS = 40;
/** Only queries whose names contain it; all by default. */
const NAMED = process.env.ASSAY_BENCH_SEARCH_NAMED ?? '';

interface Product {
  readonly stack: Stack;
  readonly cases: readonly NamedCalls[];
}

/** Starts a product, and names what to ask it. */
interface ProductUnderTest {
  readonly start: () => Promise<Stack>;
  readonly casesOf: (load: SearchLoad) => readonly NamedCalls[];
}

/** The product that the figures are of, and the one that it is compared with. */
interface Pair {
  readonly mine: ProductUnderTest;
  readonly other: ProductUnderTest;
}

const SETTINGS = { LOG_LEVEL: 'warn' };

/**
 * Asks the main queries of the single process of another commit and of the working tree, each on the same load. Both run at the same
 * time and take turns, so that other work on the machine concerns both. Each is loaded first once: the parts that a store is left
 * with depend on what else the machine did while it was loaded. The ratios are the geometric means of both orders.
 */
export function measureSearchAgainst(ref: string): AsyncGenerator<SearchAgainst> {
  const root = buildCommit(ref);
  const casesOf = (load: SearchLoad) =>
    searchCases(load, '').map(({ name, call }) => ({ name, next: () => call }));
  return measurePair({
    mine: { start: () => startStandalone(SETTINGS), casesOf },
    other: { start: () => startStandalone(SETTINGS, root), casesOf },
  });
}

/** The same of the queries that a hint begins, with `mine` as the working tree is, and `other` an event store that remembers nothing. */
export async function* measureSearchWithoutHints(): AsyncGenerator<
  SearchAgainst & { readonly hint: string }
> {
  const plain = testProgramArgs('harness/without-hints/standalone.ts');
  const pair = {
    mine: { start: () => startStandalone(SETTINGS), casesOf: hintedCalls },
    other: { start: () => startStandalone(SETTINGS, undefined, plain), casesOf: hintedCalls },
  };
  for await (const { name, ...figures } of measurePair(pair)) {
    const [hint = '', query = ''] = name.split(': ');
    yield { hint, name: query, ...figures };
  }
}

async function* measurePair(pair: Pair): AsyncGenerator<SearchAgainst> {
  const orders = [await measureInOrder(pair, false), await measureInOrder(pair, true)];
  for (const [index, { name }] of (orders[0] ?? []).entries()) {
    const found = orders.flatMap((order) => order[index] ?? []);
    const meanOf = (field: Exclude<keyof Measured, 'name'>) =>
      Math.exp(found.reduce((sum, one) => sum + Math.log(one[field]), 0) / found.length);
    yield {
      ...{ name, other: meanOf('other'), mine: meanOf('mine') },
      ...{ cpuRatio: meanOf('cpuRatio'), durationRatio: meanOf('durationRatio') },
      cpuRatios: found.map(({ cpuRatio }) => cpuRatio),
    };
  }
}

async function measureInOrder(pair: Pair, isMineFirst: boolean): Promise<readonly Measured[]> {
  const first = await openProduct(isMineFirst ? pair.mine : pair.other);
  const second = await openProduct(isMineFirst ? pair.other : pair.mine);
  const [other, mine] = isMineFirst ? [second, first] : [first, second];
  try {
    for (const index of mine.cases.keys())
      for (const product of [other, mine]) await ask(product, index, WARM_UPS);
    // Nothing is merged any more when the first query is measured.
    await untilIdle([other.stack, mine.stack]);
    const measured: Measured[] = [];
    for (const [index, { name }] of mine.cases.entries())
      measured.push({ name, ...(await measure(other, mine, index)) });
    return measured;
  } finally {
    await mine.stack.stop();
    await other.stack.stop();
  }
}

async function openProduct({ start, casesOf }: ProductUnderTest): Promise<Product> {
  const stack = await start();
  // Each session is one datapoint: earlier releases counted those of one session as one, so that they did less with others.
  const load = await fillSearch(stack, SEARCH_EVENTS, PER_SESSION);
  await forwarded(stack);
  return { stack, cases: casesOf(load).filter(({ name }) => name.includes(NAMED)) };
}

async function measure(other: Product, mine: Product, index: number): Promise<Omit<Measured, 'name'>> {
  const rounds: { readonly other: Cost; readonly mine: Cost }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const isMineFirst = round % 2 === 1;
    const first = await ask(isMineFirst ? mine : other, index, RUNS_PER_ROUND);
    const second = await ask(isMineFirst ? other : mine, index, RUNS_PER_ROUND);
    rounds.push(isMineFirst ? { mine: first, other: second } : { mine: second, other: first });
  }
  return {
    other: median(rounds.map((round) => round.other.cpuMs)),
    mine: median(rounds.map((round) => round.mine.cpuMs)),
    cpuRatio: median(rounds.map((round) => round.mine.cpuMs / round.other.cpuMs)),
    durationRatio: median(rounds.map((round) => round.mine.p50 / round.other.p50)),
  };
}

function ask({ stack, cases }: Product, index: number, count: number): Promise<Cost> {
  return costOf(stack, Array.from({ length: count }, cases[index]!.next));
}

interface Cost {
  readonly cpuMs: number;
  readonly p50: number;
}

async function costOf(stack: Stack, calls: Parameters<typeof callAll>[1]): Promise<Cost> {
  const before = cpuSeconds(stack.pid('standalone'));
  const { latency } = await callAll(stack, calls, 1);
  return { cpuMs: ((cpuSeconds(stack.pid('standalone')) - before) * 1_000) / calls.length, p50: latency.p50 };
}
