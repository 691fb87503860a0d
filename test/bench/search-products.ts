import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { own } from '@assay/testing';
import {
  copyStatements,
  FORGET_CONDITIONS,
  narrowStatements,
  storedColumns,
} from '@assay/event-store/test/plain-statements';
import { startClickHouse } from '../harness/engines/start-clickhouse.js';
import { startEngines } from '../harness/engines/start-engines.js';
import { repository } from '../harness/stack/repository.js';
import { enginesFromEnvironment, randomName, startSplit } from '../harness/stack/start-split.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import type { Stack } from '../harness/stack/stack.js';
import { cpuSeconds, residentMegabytes } from './cpu-time.js';
import { forwarded } from './forwarded.js';

/** What plain SQL took. */
export interface PlainFigures {
  /** Milliseconds of each run. */
  readonly latencies: readonly number[];
  /** Milliseconds of CPU of a run. */
  readonly cpuMs: number;
}

/** A running product whose queries are measured, and plain SQL on a copy of its rows. */
export interface SearchProduct {
  readonly stack: Stack;
  /** Copies the rows. Call once they are stored. `parts`: active parts of the narrow table. */
  readonly copy: () => Promise<{ readonly parts: number; readonly projectId: string }>;
  readonly plain: (sql: string, runs: number) => Promise<PlainFigures>;
  /** Seconds of CPU that a query's processes have used. */
  readonly cpuSeconds: () => number;
  readonly residentMegabytes: () => number;
  readonly stop: () => Promise<void>;
}

/** The single process; plain SQL runs in a process of its own on a copy of the files. */
export async function openSingleProcess(): Promise<SearchProduct> {
  const stack = await startStandalone({ LOG_LEVEL: 'warn' });
  const pid = () => stack.pid('standalone');
  let plain: ChildProcess | undefined;
  const request = async (message?: object): Promise<unknown> => {
    if (message) plain?.send(message);
    const [response] = (await once(plain!, 'message')) as [unknown];
    return response;
  };
  return {
    stack,
    copy: async () => {
      await forwarded(stack);
      await stack.terminate('standalone');
      const copy = join(stack.dir, 'plain');
      await cp(join(stack.dir, 'data', 'events'), copy, { recursive: true });
      await stack.start('standalone');
      plain = own(fork(join(repository, 'libs/event-store/test/plain-tables.cjs'), [copy]));
      return (await request()) as { parts: number; projectId: string };
    },
    plain: async (sql, runs) => (await request({ sql, runs })) as PlainFigures,
    cpuSeconds: () => cpuSeconds(pid()),
    residentMegabytes: () => residentMegabytes(pid()),
    stop: async () => {
      if (plain?.connected) {
        plain.disconnect();
        await once(plain, 'exit');
      }
      await stack.stop();
    },
  };
}

/**
 * Separate services; plain SQL is sent to the same ClickHouse over HTTP. Nothing is forwarded: the tests' MongoDB does not keep up with the
 * summaries of many sessions, and none of these queries reads them.
 */
export async function openSplit(): Promise<SearchProduct> {
  const clickHouse = await startClickHouse();
  process.env.CLICKHOUSE_URL = clickHouse.url;
  const stopEngines = await startEngines();
  const name = randomName();
  const stack = await startSplit(enginesFromEnvironment(), {
    name,
    dataPlane: { FORWARD_EVENTS: 'false' },
  });
  const pids = () => [stack.pid('data-plane'), clickHouse.pid];
  const query = async (sql: string): Promise<Record<string, unknown>[]> => {
    const response = await fetch(`${clickHouse.url}/?default_format=JSONEachRow`, {
      method: 'POST',
      body: sql,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`plain SQL returned ${response.status}: ${text.slice(0, 500)}`);
    const rows = text.split('\n').filter((line) => line !== '');
    return rows.map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  return {
    stack,
    copy: async () => {
      const database = `test_${name}`;
      const columns = (await query(storedColumns(database))).map(({ name }) => String(name));
      const active = `FROM system.parts WHERE active AND database = '${database}' AND table = 'events'`;
      const [counted] = await query(`SELECT count() AS parts ${active}`);
      for (const sql of [...copyStatements(database, columns), ...narrowStatements()]) await query(sql);
      const [found] = await query('SELECT any(project_id) AS projectId FROM plain.events');
      return { parts: Number(counted?.parts), projectId: String(found?.projectId) };
    },
    plain: async (sql, runs) => {
      const latencies: number[] = [];
      const before = cpuSeconds(clickHouse.pid);
      for (let run = 0; run < runs; run++) {
        await query(FORGET_CONDITIONS);
        const startedAt = performance.now();
        await query(sql);
        latencies.push(performance.now() - startedAt);
      }
      return { latencies, cpuMs: ((cpuSeconds(clickHouse.pid) - before) * 1_000) / runs };
    },
    cpuSeconds: () => pids().reduce((sum, pid) => sum + cpuSeconds(pid), 0),
    residentMegabytes: () => pids().reduce((sum, pid) => sum + residentMegabytes(pid), 0),
    stop: async () => {
      await stack.stop();
      await stopEngines();
      await clickHouse.stop();
      delete process.env.CLICKHOUSE_URL;
    },
  };
}
