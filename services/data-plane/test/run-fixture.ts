import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChartResponse, RunResponse } from '@assay/contracts';
import type { RunPageQuery, RunsWithMetrics } from '@assay/control-plane-client';
import type { Event, JsonObject, MetricRule } from '@assay/domain';
import type { EventStore } from '@assay/event-store';
import { ByteBudget, serve } from '@assay/http';
import type { Freshness } from '@assay/log-readers';
import { createLogger, createMetrics } from '@assay/runtime';
import { dataPlaneRoutes } from '../src/http/routes.js';
import { CALLER, startStoredEvents } from './stored-events.js';

export { aRule } from '@assay/domain/test/experiments/run-fixture';

/** The routes of runs over HTTP, on an event store; the test holds the runs and rules of the control plane. */
export interface ServedRuns {
  readonly runs: Map<string, RunResponse>;
  readonly metrics: MetricRule[];
  /** Charts by their id. */
  readonly charts: Map<string, ChartResponse>;
  readonly store: EventStore;
  freshness: Freshness;
  /** Called when a read waits for the evaluators; current by default. */
  decided: (maxWaitMs: number) => Freshness;
  /** Longest waits that were asked for. */
  readonly waits: number[];
  add(events: readonly Partial<Event>[]): Promise<Event[]>;
  call(path: string, request?: RequestInit): Promise<{ status: number; body: JsonObject; headers: Headers }>;
  readonly baseUrl: string;
  stop(): Promise<void>;
}

export async function serveRuns(): Promise<ServedRuns> {
  const stored = await startStoredEvents();
  const served = { runs: new Map<string, RunResponse>(), metrics: [] as MetricRule[], waits: [] as number[] };
  const charts = new Map<string, ChartResponse>();
  const chart = ({ chartId }: { chartId: string }) => Promise.resolve(charts.get(chartId));
  const state: Pick<ServedRuns, 'freshness' | 'decided'> = {
    freshness: { current: true },
    decided: () => ({ current: true }),
  };
  const readRuns = ({ projectId, runIds }: { projectId: string; runIds: readonly string[] }) =>
    Promise.resolve<RunsWithMetrics>({
      runs: runIds.flatMap((id) => {
        const run = served.runs.get(id);
        return run?.scope_id === projectId ? [run] : [];
      }),
      metrics: served.metrics,
    });
  const runLinks = ({ projectId, page = 1, limit = 20 }: RunPageQuery) => {
    const own = [...served.runs.values()].filter((run) => run.scope_id === projectId);
    const links = own
      .slice((page - 1) * limit, page * limit)
      .map(({ run_id: runId, event_ids: sessionIds }) => ({ runId, sessionIds }));
    return Promise.resolve({ links, pagination: paginationOf(own.length, page, limit) });
  };
  const waitUntilStored = (maxWaitMs: number) => {
    served.waits.push(maxWaitMs);
    return Promise.resolve(state.freshness);
  };
  const serving = await serve({
    host: '127.0.0.1',
    port: 0,
    adminPort: 0,
    bindings: dataPlaneRoutes({
      ...stored.deps({ runs: readRuns, runLinks, chart }),
      waitUntilStored,
      waitUntilDecided: (maxWaitMs) => Promise.resolve(state.decided(maxWaitMs)),
    }),
    authenticator: { authenticate: () => Promise.resolve(CALLER) },
    budget: new ByteBudget({ maxBytes: 1_000_000 }),
    openApi: { version: 'test' },
    logger: createLogger({ level: 'error', service: 'test' }),
    metrics: createMetrics({ processMetrics: false }),
    checks: {},
  });
  const headers = { Authorization: 'Bearer key', 'Content-Type': 'application/json' };
  return Object.assign(state, {
    ...served,
    charts,
    store: stored.store,
    add: (events: readonly Partial<Event>[]) => stored.add(events),
    baseUrl: serving.baseUrl,
    call: async (path: string, request: RequestInit = {}) => {
      const response = await fetch(serving.baseUrl + path, {
        ...request,
        headers: { ...headers, ...(request.headers as Record<string, string>) },
      });
      const { status } = response;
      return { status, body: (await response.json()) as JsonObject, headers: response.headers };
    },
    stop: async () => {
      await serving.close(1_000);
      await stored.stop();
    },
  });
}

function paginationOf(total: number, page: number, limit: number) {
  const total_pages = Math.ceil(total / limit);
  const neighbours = { has_next: page < total_pages, has_prev: page > 1 };
  return { page, limit, total, total_unfiltered: total, total_pages, ...neighbours };
}

/** A completed run. */
export function aRun(fields: Partial<RunResponse> = {}): RunResponse {
  const run_id = fields.run_id ?? randomUUID();
  return {
    id: run_id,
    run_id,
    name: 'prompt v2',
    description: null,
    status: 'completed',
    is_active: true,
    metadata: {},
    results: {},
    metrics: {},
    configuration: {},
    event_ids: [],
    dataset_id: null,
    dataset_name: null,
    scope_type: 'project',
    scope_id: CALLER.projectId,
    created_at: '2026-11-01T00:00:00.000Z',
    updated_at: '2026-11-01T00:01:00.000Z',
    ...fields,
  };
}

/** Reads a golden file of `test/golden`. */
export function golden(name: string): unknown {
  return JSON.parse(readFileSync(join(__dirname, 'golden', name), 'utf8'));
}
