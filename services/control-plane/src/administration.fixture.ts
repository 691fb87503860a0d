import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpControlPlane, type ControlPlane } from '@assay/control-plane-client';
import type { DocumentStore } from '@assay/document-store';
import type { Principal } from '@assay/domain';
import { ByteBudget, createApp } from '@assay/http';
import type { LogFields } from '@assay/runtime';
import { composeControlPlane, type ControlPlaneParts } from './compose.js';
import { createInternalApi } from './http/create-internal-api.js';
import { controlPlaneBindings } from './http/routes.js';
import { withInternalApi } from './http/with-internal-api.js';
import type { OpenStore } from './shared/resource-api.fixture.js';

export const ADMIN_TOKEN = 'token-of-the-administrator';

export interface Answer {
  readonly status: number;
  // Whatever the answer holds; each test says what it looks at.
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

/** The control plane over HTTP, as data planes and the administrator meet it. */
export class Administration {
  private constructor(
    readonly parts: ControlPlaneParts,
    readonly documents: DocumentStore,
    readonly url: string,
    /** Set by the test. */
    readonly clock: { time: number },
    readonly logged: { phrase: string; fields: LogFields }[],
    readonly stop: () => Promise<void>,
  ) {}

  static async start(open: OpenStore): Promise<Administration> {
    const { documents, remove } = await open();
    const clock = { time: Date.parse('2026-11-01T00:00:00Z') };
    const logged: Administration['logged'] = [];
    const logger = {
      warn: () => undefined,
      info: (phrase: string, fields: LogFields = {}) => void logged.push({ phrase, fields }),
    };
    const parts = await composeControlPlane({
      documents,
      pepper: 'p'.repeat(32),
      now: () => new Date(clock.time),
      logger,
    });
    const { controlPlane, identifyDataPlane } = parts;
    const app = createApp({
      bindings: controlPlaneBindings(parts),
      authenticator: controlPlane,
      adminToken: ADMIN_TOKEN,
      identifyDataPlane,
      budget: new ByteBudget({ maxBytes: 400_000_000 }),
    });
    const internal = createInternalApi({ controlPlane, identifyDataPlane });
    const server = createServer(withInternalApi(app, internal)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const stop = async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      await documents.close();
      remove();
    };
    return new Administration(
      parts,
      documents,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      clock,
      logged,
      stop,
    );
  }

  async send(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Answer> {
    const sent = { 'content-type': 'application/json', ...headers };
    const response = await fetch(this.url + path, {
      method,
      headers: sent,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  }

  asAdministrator(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.send(method, path, { authorization: `Bearer ${ADMIN_TOKEN}` }, body);
  }

  /** As the key of a project, without any data plane. */
  as(key: string, method: string, path: string, body?: unknown): Promise<Answer> {
    return this.send(method, path, { authorization: `Bearer ${key}` }, body);
  }

  async newProject(name: string): Promise<Project> {
    return (await this.asAdministrator('POST', '/v1/projects', { name })).body as unknown as Project;
  }

  async newDataPlane(project_ids: readonly string[] | null): Promise<{ id: string; token: string }> {
    const { body } = await this.asAdministrator('POST', '/v1/data-planes', { name: 'dp', project_ids });
    return { id: body.data_plane.id, token: body.token };
  }

  /** What a data plane with this token asks. */
  dataPlane(token: string): ControlPlane {
    return createHttpControlPlane({ url: this.url, token, timeoutMs: 5_000 });
  }

  async trail(query = ''): Promise<Answer['body']['entries']> {
    return (await this.asAdministrator('GET', `/v1/audit-entries${query}`)).body.entries;
  }
}

/** The headers by which a data plane says whose request it passes on. */
export function passedOn(
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
