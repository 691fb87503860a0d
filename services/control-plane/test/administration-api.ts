import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpControlPlane, type ControlPlane } from '@assay/control-plane-client';
import type { DocumentStore } from '@assay/document-store';
import type { Principal } from '@assay/domain';
import { ByteBudget, createApp } from '@assay/http';
import type { LogFields } from '@assay/runtime';
import { composeControlPlane, type ControlPlaneParts } from '../src/compose.js';
import { createInternalApi } from '../src/http/create-internal-api.js';
import { withInternalApi } from '../src/http/with-internal-api.js';
import type { OpenStore } from './resource-api.js';
import { createTemplateWorkers } from '@assay/templates';

export const ADMIN_TOKEN = 'token-of-the-administrator';

export interface Response {
  readonly status: number;
  // Fields that tests read.
  readonly body: Record<string, unknown> & {
    readonly message: string;
    readonly token: string;
    readonly data_plane: Record<string, unknown> & { readonly id: string };
    readonly entries: (Record<string, unknown> & { readonly at: string; readonly action: string })[];
    readonly next_cursor: string | null;
  };
}

export interface Project {
  readonly id: string;
  readonly api_key: string;
}

interface AdministrationParts {
  readonly parts: ControlPlaneParts;
  readonly documents: DocumentStore;
  readonly url: string;
  /** Set by the test. */
  readonly clock: { time: number };
  readonly logged: { phrase: string; fields: LogFields }[];
  readonly stop: () => Promise<void>;
}

/** Control plane over HTTP, as data planes and the administrator use it. */
export class Administration {
  private constructor(private readonly all: AdministrationParts) {}

  get parts(): ControlPlaneParts {
    return this.all.parts;
  }

  get documents(): DocumentStore {
    return this.all.documents;
  }

  get clock(): { time: number } {
    return this.all.clock;
  }

  get logged(): AdministrationParts['logged'] {
    return this.all.logged;
  }

  stop(): Promise<void> {
    return this.all.stop();
  }

  static async start(open: OpenStore): Promise<Administration> {
    const { documents, remove } = await open();
    const clock = { time: Date.parse('2026-11-01T00:00:00Z') };
    const logged: AdministrationParts['logged'] = [];
    const logger = {
      warn: () => undefined,
      info: (phrase: string, fields: LogFields = {}) => void logged.push({ phrase, fields }),
    };
    const parts = await composeControlPlane({
      templates: createTemplateWorkers(),
      documents,
      pepper: 'p'.repeat(32),
      now: () => new Date(clock.time),
      logger,
    });
    const { controlPlane, identifyDataPlane } = parts;
    const app = createApp({
      bindings: parts.routes,
      authenticator: controlPlane,
      adminToken: ADMIN_TOKEN,
      identifyDataPlane,
      budget: new ByteBudget({ maxBytes: 400_000_000 }),
    });
    const internal = createInternalApi({ controlPlane, identifyDataPlane });
    // A busy client may send on a connection that idles for longer than the default of 5 s.
    const server = createServer({ keepAliveTimeout: 0 }, withInternalApi(app, internal)).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const stop = async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      await documents.close();
      remove();
    };
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return new Administration({ parts, documents, url, clock, logged, stop });
  }

  async send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Response> {
    const sent = { 'content-type': 'application/json', ...headers };
    const response = await fetch(this.all.url + path, {
      method,
      headers: sent,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Response['body'] };
  }

  asAdministrator(method: string, path: string, body?: unknown): Promise<Response> {
    return this.send(method, path, { authorization: `Bearer ${ADMIN_TOKEN}` }, body);
  }

  /** Sends with the key of a project, directly to the control plane. */
  as(key: string, method: string, path: string, body?: unknown): Promise<Response> {
    return this.send(method, path, { authorization: `Bearer ${key}` }, body);
  }

  async newProject(name: string): Promise<Project> {
    return (await this.asAdministrator('POST', '/v1/projects', { name })).body as unknown as Project;
  }

  async newDataPlane(project_ids: readonly string[] | null): Promise<{ id: string; token: string }> {
    const { body } = await this.asAdministrator('POST', '/v1/data-planes', { name: 'dp', project_ids });
    return { id: body.data_plane.id, token: body.token };
  }

  /** Returns the client of a data plane with this token. */
  dataPlane(token: string): ControlPlane {
    return createHttpControlPlane({ url: this.all.url, token, timeoutMs: 60_000 });
  }

  async trail(query = ''): Promise<Response['body']['entries']> {
    return (await this.asAdministrator('GET', `/v1/audit-entries${query}`)).body.entries;
  }
}

/** Returns the headers of a request that a data plane proxies for this principal. */
export function proxied(
  token: string,
  principal: Principal,
  more: Record<string, string> = {},
): Record<string, string> {
  return {
    'assay-internal-token': token,
    'assay-principal': encodeURIComponent(JSON.stringify(principal)),
    ...more,
  };
}

export function callerOf(projectId: string): Principal {
  return { projectId, projectName: 'named', keyId: 'k1', scope: 'project' };
}
