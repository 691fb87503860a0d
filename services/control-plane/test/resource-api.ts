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
import { composeControlPlane } from '../src/compose.js';
import { controlPlaneBindings } from '../src/http/routes.js';

/** What an answer holds, by the names that the tests look at. */
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
}

/** An answer; each test says what it looks at. */
export interface ApiResponse {
  readonly status: number;
  readonly body: JsonResponse;
}

/** The routes of the control plane over HTTP, with two projects. Answers of 200 are checked against the schema of their route. */
export interface ResourceApi {
  readonly documents: DocumentStore;
  /** As the data plane asks it. */
  readonly controlPlane: ControlPlane;
  readonly projectId: string;
  readonly otherProjectId: string;
  /** Set by the test; moves on by a millisecond with each reading, so that what is created later is newer. */
  readonly clock: { time: number };
  /** As the project of the tests. */
  send(method: string, path: string, body?: unknown): Promise<ApiResponse>;
  /** As another project. */
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

export async function startResourceApi(open: OpenStore): Promise<ResourceApi> {
  const { documents, remove } = await open();
  const clock = { time: Date.parse('2026-11-01T00:00:00Z') };
  const parts = await composeControlPlane({
    documents,
    pepper: 'p'.repeat(32),
    now: () => new Date(clock.time++),
    logger: { info: () => undefined, warn: () => undefined },
  });
  const { operations, controlPlane } = parts;
  const [mine, other] = [await newProject('mine'), await newProject('other')];
  const budget = new ByteBudget({ maxBytes: 400_000_000 });
  const app = createApp({ bindings: controlPlaneBindings(parts), authenticator: controlPlane, budget });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sender = (key: string) => (method: string, path: string, body?: unknown) =>
    send(url, key, method, path, body);
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
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
    return operations.createProject({ body: { name } }, { caller: ADMINISTRATOR });
  }
}

async function send(
  url: string,
  key: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiResponse> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer: ApiResponse = { status: response.status, body: (await response.json()) as JsonResponse };
  if (answer.status === 200) checkResponse(method, path, answer.body);
  return answer;
}

function checkResponse(method: string, path: string, body: unknown): void {
  const [bare = ''] = path.split('?');
  const route = ROUTES.find(
    (one) =>
      one.method === method && [one.path, ...(one.aliases ?? [])].some((pattern) => fits(pattern, bare)),
  );
  if (!route) throw new Error(`${method} ${bare} is not in the catalogue`);
  compile(route.response, 'response')(body);
}

function fits(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
}
