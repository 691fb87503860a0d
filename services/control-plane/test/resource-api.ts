import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile, ROUTES } from '@assay/contracts';
import type { ControlPlane } from '@assay/control-plane-client';
import { type DocumentStore, openEmbeddedDocumentStore } from '@assay/document-store';
import { ADMINISTRATOR } from '@assay/domain';
import { ByteBudget, createApp } from '@assay/http';
import { createSyntaxChecker } from '@assay/python-runner';
import { createTemplateWorkers } from '@assay/templates';
import { composeControlPlane } from '../src/compose.js';
import { makeCreateProject } from '../src/identity/projects/create-project.js';

/** Response body, with the fields that tests read. */
export interface JsonResponse extends Readonly<Record<string, unknown>> {
  readonly message: string;
  readonly id: string;
  readonly data: JsonResponse & JsonResponse[];
  readonly result: JsonResponse & { readonly insertedIds: [string]; readonly insertedId: string };
  readonly datapoints: (JsonResponse & string)[];
  readonly datapoint: JsonResponse[];
  readonly datapoint_ids: string[];
  readonly datasets: JsonResponse[];
  readonly metrics: JsonResponse[];
  readonly metric_id: string;
  readonly pagination: JsonResponse;
  readonly evaluation: JsonResponse;
  readonly evaluations: JsonResponse[];
  readonly configurations: JsonResponse[];
  readonly insertedId: string;
  readonly queue: JsonResponse;
  readonly queues: JsonResponse[];
  readonly job: JsonResponse;
  readonly jobs: JsonResponse[];
  readonly state: string;
}

/** HTTP response. */
export interface ApiResponse {
  readonly status: number;
  readonly body: JsonResponse;
}

/**
 * Control plane over HTTP with two projects. Every successful response is validated against the schema of its route.
 */
export interface ResourceApi {
  readonly documents: DocumentStore;
  /** Interface of the data planes. */
  readonly controlPlane: ControlPlane;
  readonly projectId: string;
  readonly otherProjectId: string;
  /** Set by the test. Advances by a millisecond with each reading, so that later documents are newer. */
  readonly clock: { time: number };
  /** Sends with a key of the first project. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ApiResponse>;
  /** Sends with a key of the other project. */
  sendAsOther(method: string, path: string, body?: unknown): Promise<ApiResponse>;
  stop(): Promise<void>;
}

export type OpenStore = () => Promise<{ documents: DocumentStore; remove: () => void }>;

export const openEmbedded: OpenStore = async () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-resources-'));
  return {
    documents: await openEmbeddedDocumentStore({ dir }),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
};

export async function startResourceApi(
  open: OpenStore,
  templates = createTemplateWorkers(),
): Promise<ResourceApi> {
  const { documents, remove } = await open();
  const clock = { time: Date.parse('2026-11-01T00:00:00Z') };
  const pythonSyntax = createSyntaxChecker();
  const parts = await composeControlPlane({
    documents,
    pythonSyntax,
    templates,
    pepper: 'p'.repeat(32),
    now: () => new Date(clock.time++),
    logger: { info: () => undefined, warn: () => undefined },
  });
  const { controlPlane } = parts;
  const createProject = makeCreateProject(parts.deps);
  const [mine, other] = [await newProject('mine'), await newProject('other')];
  const budget = new ByteBudget({ maxBytes: 400_000_000 });
  const bindings = [...parts.routes, ...parts.directRoutes];
  const app = createApp({ bindings, authenticator: controlPlane, budget });
  // A busy client may send on a connection that idles for longer than the default of 5 s.
  const server = createServer({ keepAliveTimeout: 0 }, app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sender =
    (key: string): ResourceApi['send'] =>
    (method, path, body, headers) =>
      send({ url, key, method, path, body, headers });
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    pythonSyntax.close();
    await templates.close();
    await documents.close();
    remove();
  };
  return {
    documents,
    controlPlane,
    projectId: mine.id,
    otherProjectId: other.id,
    clock,
    send: sender(mine.api_key),
    sendAsOther: sender(other.api_key),
    stop,
  };

  function newProject(name: string) {
    return createProject({ body: { name } }, { caller: ADMINISTRATOR });
  }
}

interface Sent {
  readonly url: string;
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Lets two responses be compared. */
const SAME_REQUEST_ID = { 'x-request-id': 'of-the-test' };

async function send({ url, key, method, path, body, headers: more }: Sent): Promise<ApiResponse> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    ...SAME_REQUEST_ID,
    ...more,
  };
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const received: ApiResponse = { status: response.status, body: (await response.json()) as JsonResponse };
  if (received.status < 300) checkResponse(method, path, received.body);
  return received;
}

function checkResponse(method: string, path: string, body: unknown): void {
  const [bare = ''] = path.split('?');
  const route = ROUTES.find(
    (one) =>
      one.method === method && [one.path, ...(one.aliases ?? [])].some((pattern) => matches(pattern, bare)),
  );
  if (!route) throw new Error(`${method} ${bare} is not in the catalogue`);
  compile(route.response, 'response')(body);
}

function matches(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
}
