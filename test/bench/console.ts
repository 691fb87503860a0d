import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage } from '../harness/console/browser.js';
import { calibrate } from '../harness/console/calibration.js';
import {
  LISTED,
  LONG_SESSION,
  seedHeavyScreens,
  type HeavyScreen,
} from '../harness/console/heavy-screens.js';
import { watchLiveTab } from '../harness/console/live-tab.js';
import { longestTaskOf } from '../harness/console/longest-task.js';
import { seedTraces, startWithConsole } from '../harness/console/seeded-product.js';
import { newProject } from '../harness/console/product-of-file.js';
import { firstRow, signInWithKey } from '../harness/console/sign-in.js';
import { repository } from '../harness/stack/repository.js';
import type { Stack } from '../harness/stack/stack.js';
import { cpuSeconds } from './cpu-time.js';
import { firstStart } from './start.js';

const ROUNDS = 5;
const LOOKS = 8;
/** What a page that was left has asked for is done by then. */
const SETTLE_MS = 2_000;
const PAGES = 12;
const STARTS = 3;

/** One budget of the console, as one line of JSON. */
export interface ConsoleFigure {
  readonly name: string;
  readonly unit:
    | 'ms'
    | 'ms of CPU'
    | 'ms of CPU per s'
    | 's'
    | 's of CPU'
    | 'requests per s'
    | 'KB'
    | 'elements';
  readonly median: number;
  readonly rounds: readonly number[];
  /** What it may be. Times are multiplied with the factor of the calibration. */
  readonly budget?: number;
}

type Bare = Omit<ConsoleFigure, 'median'>;

/** The budgets of the console on the single process, in one browser. The first line is the calibration. */
export async function* measureConsole(): AsyncGenerator<object> {
  const { ms, factor } = calibrate();
  yield { name: 'calibration', unit: 'ms of CPU', median: round(ms), factor };
  for await (const figure of figures()) {
    const { budget } = figure;
    const allowed =
      budget === undefined ? undefined : figure.unit.startsWith('ms') ? budget * factor : budget;
    const middle = median(figure.rounds);
    yield {
      ...{ ...figure, median: round(middle), rounds: figure.rounds.map(round) },
      ...(allowed !== undefined && { within: middle <= allowed }),
    };
  }
}

async function* figures(): AsyncGenerator<Bare> {
  yield {
    name: "CPU of the console's own build",
    unit: 's of CPU',
    budget: 5,
    rounds: await times(3, buildOnce),
  };
  yield* firstStarts();
  const [stack, browser] = await Promise.all([startWithConsole(), openBrowser()]);
  try {
    yield* ordinaryPage(await newProject(stack, 'ordinary'));
    const screensOf = await seedHeavyScreens(stack);
    const { page } = await openPage(browser, stack.baseUrl);
    const project = await signInWithKey(page, stack.apiKey);
    yield* loads(browser, stack);
    for (const screen of screensOf(project)) yield* heavy({ browser, page, screen });
    yield* server({ stack, page, project });
  } finally {
    await browser.close();
    await stack.stop();
  }
}

/** The first `npm start` with the console and without it, in turns. */
async function* firstStarts(): AsyncGenerator<Bare> {
  const [having, lacking]: [number[], number[]] = [[], []];
  for (let nth = 0; nth < STARTS; nth++) {
    having.push(await firstStart({ withConsole: true }));
    lacking.push(await firstStart({ withConsole: false }));
  }
  yield { name: 'first start with the console', unit: 's', rounds: having };
  yield { name: 'first start without it', unit: 's', rounds: lacking };
  const more = having.map((seconds, nth) => seconds - (lacking[nth] ?? 0));
  yield { name: 'first start: more with the console', unit: 's', budget: 4, rounds: more };
}

/** From the address to the first row, with an empty cache and with a full one. */
async function* loads(browser: Browser, stack: Stack): AsyncGenerator<Bare> {
  const [cold, warm]: [number[], number[]] = [[], []];
  for (let nth = 0; nth < ROUNDS; nth++) {
    const { page, context } = await openPage(browser, stack.baseUrl);
    await signInWithKey(page, stack.apiKey);
    const cookies = await context.cookies();
    const fresh = await openPage(browser, stack.baseUrl);
    await fresh.context.addCookies(cookies);
    for (const list of [cold, warm])
      list.push(await msOf(() => fresh.page.goto('/console/').then(() => firstRow(fresh.page))));
    await Promise.all([context.close(), fresh.context.close()]);
  }
  yield { name: 'first load to the first row, empty cache', unit: 'ms', budget: 800, rounds: cold };
  yield { name: 'the same with a full cache', unit: 'ms', budget: 350, rounds: warm };
}

interface Heavy {
  readonly browser: Browser;
  readonly page: Page;
  readonly screen: HeavyScreen;
}

async function* heavy({ browser, page, screen }: Heavy): AsyncGenerator<Bare> {
  const { name, path, maxTaskMs, use } = screen;
  const [took, longest, elements, kilobytes]: number[][] = [[], [], [], []];
  const heap = await heapOf(page);
  for (let nth = 0; nth < ROUNDS; nth++) {
    await page.goto('about:blank');
    const before = await heap();
    const task = await longestTaskOf(browser, page, async () =>
      took?.push(await msOf(() => page.goto(path).then(() => use(page)))),
    );
    longest?.push(task.cpuMs);
    elements?.push(await page.evaluate<number>('document.querySelectorAll("*").length'));
    kilobytes?.push(((await heap()) - before) / 1_000);
  }
  yield { name: `${name}: opened and worked with`, unit: 'ms', rounds: took ?? [] };
  yield { name: `${name}: longest task`, unit: 'ms of CPU', budget: maxTaskMs, rounds: longest ?? [] };
  yield { name: `${name}: elements`, unit: 'elements', budget: 1_500, rounds: elements ?? [] };
  yield { name: `${name}: memory of the main thread`, unit: 'KB', budget: 30_000, rounds: kilobytes ?? [] };
}

/** What the server spends on a page of 50 sessions of three events. */
async function* ordinaryPage(stack: Stack): AsyncGenerator<Bare> {
  await seedTraces(stack, LISTED);
  await setTimeout(SETTLE_MS);
  yield { name: 'a page of 50 sessions', unit: 'ms of CPU', budget: 70, rounds: await pagesOf50(stack) };
}

/** The same where one of the sessions has 5,000, and what it spends on a tab that follows a project in which nothing arrives. */
async function* server(of: { stack: Stack; page: Page; project: string }): AsyncGenerator<Bare> {
  const { stack, page, project } = of;
  const name = `a page of 50 sessions, one of them of ${LONG_SESSION} events`;
  yield { name, unit: 'ms of CPU', rounds: await pagesOf50(stack) };
  yield* followedTab({ page, project, pid: pidOf(stack) });
}

function pidOf(stack: Stack): number {
  const [pid] = stack.services.map((service) => stack.pid(service));
  if (pid === undefined) throw new Error('the product has no process');
  return pid;
}

async function pagesOf50(stack: Stack): Promise<number[]> {
  const body = JSON.stringify(SESSION_PAGE);
  const headers = { Authorization: `Bearer ${stack.apiKey}`, 'Content-Type': 'application/json' };
  const readPage = async () => {
    const response = await fetch(`${stack.baseUrl}/v1/events/page`, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(`the page was refused: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  };
  await times(PAGES, readPage);
  const pid = pidOf(stack);
  return times(ROUNDS, async () => (await cpuOf(pid, () => times(PAGES, readPage))) * (1_000 / PAGES));
}

/** The product without a tab and with one, in turns: what a tab costs is the difference. */
async function* followedTab(of: { page: Page; project: string; pid: number }): AsyncGenerator<Bare> {
  const { page, project, pid } = of;
  const [perSecond, idle, more]: [number[], number[], number[]] = [[], [], []];
  for (let nth = 0; nth < 3; nth++) {
    await page.goto('about:blank');
    await setTimeout(SETTLE_MS);
    const without = await cpuOf(pid, () => setTimeout(LOOKS * 1_000));
    idle.push((without * 1_000) / LOOKS);
    await page.goto(`/console/p/${project}/sessions?live=1`);
    await firstRow(page);
    await watchLiveTab(page, 5);
    const before = cpuSeconds(pid);
    const { requests, seconds } = await watchLiveTab(page, LOOKS);
    perSecond.push(requests / seconds);
    more.push(((cpuSeconds(pid) - before) * 1_000) / seconds - (idle.at(-1) ?? 0));
  }
  yield { name: 'the server without a tab', unit: 'ms of CPU per s', rounds: idle };
  yield { name: 'a tab that follows', unit: 'requests per s', budget: 2, rounds: perSecond };
  yield { name: 'a tab that follows: more of the server', unit: 'ms of CPU per s', budget: 15, rounds: more };
}

/** What the list of sessions asks for. */
const SESSION_PAGE = {
  filters: [{ field: 'event_type', operator: 'is', value: 'session', type: 'string' }],
  ...{ dateRange: '7d', limit: 50, preview_chars: 200 },
  columns: [
    ...['event_id', 'session_id', 'event_type', 'event_name', 'start_time', 'duration', 'error'],
    ...['total_tokens', 'cost', 'num_errors', 'num_events'].map((name) => `metadata.${name}`),
  ],
};

/** Seconds of CPU of one build, with those of the processes that it has started and waited for. */
async function buildOnce(): Promise<number> {
  const before = childSeconds();
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, ['build.mjs'], {
    cwd: join(repository, 'services/console'),
    env,
  });
  return childSeconds() - before;
}

/** Fields 16 and 17 of proc(5) `stat`: user and system time of children that have ended, in hundredths of a second. */
function childSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** Returns how to read the bytes of live objects of the page, after a collection. */
async function heapOf(page: Page): Promise<() => Promise<number>> {
  const client = await page.context().newCDPSession(page);
  return async () => {
    await client.send('HeapProfiler.collectGarbage');
    return (await client.send('Runtime.getHeapUsage')).usedSize;
  };
}

async function cpuOf(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = cpuSeconds(pid);
  await work();
  return cpuSeconds(pid) - before;
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function times<Result>(count: number, work: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let nth = 0; nth < count; nth++) results.push(await work());
  return results;
}

const median = (numbers: readonly number[]) =>
  [...numbers].sort((one, other) => one - other)[numbers.length >> 1] ?? 0;
const round = (number: number) => Math.round(number * 100) / 100;
