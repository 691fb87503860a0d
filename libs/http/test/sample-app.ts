import type { RequestListener } from 'node:http';
import {
  createEvent,
  createEventBatch,
  createProject,
  exportTraces,
  getEvent,
  listProjects,
  updateEvent,
} from '@assay/contracts';
import { isAdministrator, type Caller } from '@assay/domain';
import { AppError, notFound, unavailable } from '@assay/errors';
import type { Logger } from '@assay/runtime';
import { withHeaders } from '../src/response/response.js';
import { bind, bindRaw, type Binding, type RawRequest } from '../src/routing/bind.js';
import { ByteBudget } from '../src/scheduling/byte-budget.js';
import { createApp, type AppOptions } from '../src/server/create-app.js';
import type { RequestContext } from '../src/request/request-context.js';

export const CALLER: Caller = { projectId: 'p1', projectName: 'Überprüfung', keyId: 'k1', scope: 'project' };
export const EVENT_ID = '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';
export const KEY = { authorization: 'Bearer project-key' };
export const INGEST_KEY = { authorization: 'Bearer ingest-key' };
export const ADMIN = { authorization: 'Bearer admin-token' };

/** Arguments of the operations and log lines. */
export interface Seen {
  readonly bodies: unknown[];
  readonly raw: RawRequest[];
  readonly contexts: RequestContext<unknown>[];
  readonly log: string[];
}

export interface SampleApp {
  readonly listener: RequestListener;
  readonly seen: Seen;
  readonly budget: ByteBudget;
}

/** Creates an app with a few routes of the catalogue. Its operations record their arguments. */
export function sampleApp(options: Partial<AppOptions> = {}): SampleApp {
  const seen: Seen = { bodies: [], raw: [], contexts: [], log: [] };
  const budget = options.budget ?? new ByteBudget();
  const authenticator = { authenticate: (key: string) => authenticate(key) };
  const replaced = (options.bindings ?? []).map(({ route }) => route.operation);
  const bindings = [
    ...(options.bindings ?? []),
    ...sampleBindings(seen).filter(({ route }) => !replaced.includes(route.operation)),
  ];
  const listener = createApp({
    authenticator,
    adminToken: 'admin-token',
    logger: loggerTo(seen.log),
    ...options,
    budget,
    bindings,
  });
  return { listener, seen, budget };
}

async function authenticate(key: string): Promise<Caller | undefined> {
  if (key === 'project-key') return CALLER;
  if (key === 'ingest-key') return { ...CALLER, scope: 'ingest' };
  if (key === 'other-key') return { ...CALLER, projectId: 'p2' };
  if (key === 'key-of-the-outage') throw unavailable('control plane unreachable');
  return Promise.resolve(undefined);
}

function sampleBindings(seen: Seen): Binding[] {
  return [
    bind(createEvent, ({ body }, context) => {
      seen.bodies.push(body);
      seen.contexts.push(context);
      if (body.event_name === 'break') throw new Error('a text that stays inside');
      return Promise.resolve(
        withHeaders(
          { success: true, event_id: EVENT_ID, session_id: EVENT_ID },
          { 'Assay-Freshness': 'current' },
        ),
      );
    }),
    bind(createEventBatch, ({ body }) => {
      seen.bodies.push(body.events.length);
      return Promise.resolve({
        success: true,
        event_ids: body.events.map(() => EVENT_ID),
        session_id: EVENT_ID,
      });
    }),
    bind(updateEvent, ({ params }) => Promise.resolve({ success: true, event_id: params.event_id })),
    bind(getEvent, () => Promise.reject(notFound('there is no such event'))),
    bindRaw(exportTraces, (request, context) => {
      seen.raw.push(request);
      seen.contexts.push(context);
      if (request.body.toString() === '{"break":1}') throw new Error('a text that stays inside');
      if (request.body.toString() === '{"refuse":1}')
        throw new AppError('VALIDATION_ERROR', 'body is not OTLP');
      const body = request.contentType === 'application/json' ? '{}' : Buffer.alloc(0);
      return Promise.resolve({ status: 200, contentType: request.contentType, body });
    }),
    bind(listProjects, ({ query }, { caller }) => {
      seen.bodies.push(query);
      return Promise.resolve([project(isAdministrator(caller) ? 'all' : caller.projectId)]);
    }),
    bind(createProject, ({ body }) =>
      Promise.resolve({ ...project('new'), name: body.name, api_key: 'hh_fgdp_x' }),
    ),
  ];
}

function project(id: string) {
  return {
    id,
    name: id,
    description: '',
    org_id: 'default',
    created_at: '2026-11-01T00:00:00.000Z',
    updated_at: '2026-11-01T00:00:00.000Z',
  };
}

function loggerTo(lines: string[]): Logger {
  const write = (phrase: string, fields?: object) => void lines.push(`${phrase} ${JSON.stringify(fields)}`);
  return { error: write, warn: write, info: write, debug: write };
}
