import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { waitFor } from '@assay/testing';
import { parse } from 'yaml';

const REQUEST_WITHIN_MS = 60_000;

/** A response of the API server. */
export interface ApiResponse {
  readonly status: number;
  /** The texts of its `Warning` headers. */
  readonly warnings: readonly string[];
  readonly body: string;
}

/** What is sent with a request: YAML, or JSON with the content type of a patch. */
export interface ApiBody {
  readonly type: 'application/yaml' | 'application/strategic-merge-patch+json';
  readonly text: string;
}

/** Calls an API server of Kubernetes as an administrator. */
export class ApiClient {
  constructor(
    private readonly port: number,
    private readonly token: string,
    /** Path of the authority's certificate, which the server writes when it starts. */
    private readonly certificate: string,
  ) {}

  call(method: string, path: string, body?: ApiBody): Promise<ApiResponse> {
    const headers = {
      authorization: `Bearer ${this.token}`,
      ...(body && { 'content-type': body.type }),
    };
    const options = { method, headers, ca: readFileSync(this.certificate), timeout: REQUEST_WITHIN_MS };
    return new Promise((resolve, reject) => {
      const sent = request(`https://127.0.0.1:${this.port}${path}`, options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('error', reject).on('end', () => {
          const warnings = warningsIn(response.headersDistinct.warning ?? []);
          resolve({ status: response.statusCode ?? 0, warnings, body: text });
        });
      });
      sent.on('error', reject).on('timeout', () => sent.destroy(new Error(`no response: ${method} ${path}`)));
      sent.end(body?.text);
    });
  }

  /** @throws Error when the object does not exist, or the call is refused */
  async get<T>(path: string): Promise<T> {
    const { status, body } = await this.call('GET', path);
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${body}`);
    return JSON.parse(body) as T;
  }

  /** The path of the objects of a kind, in a namespace where they have one. @throws Error for a kind that the server does not know */
  async collection(apiVersion: string, kind: string, namespace: string): Promise<string> {
    const version = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const { resources } = await this.get<{
      resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
    }>(version);
    const found = resources.find((resource) => resource.kind === kind && !resource.name.includes('/'));
    if (!found) throw new Error(`the API server does not know ${apiVersion} ${kind}`);
    return `${version}/${found.namespaced ? `namespaces/${namespace}/` : ''}${found.name}`;
  }

  async isReady(): Promise<boolean> {
    if (!existsSync(this.certificate)) return false;
    const response = await this.call('GET', '/readyz').catch(() => undefined);
    return response?.status === 200 && response.body === 'ok';
  }

  /** Creates a custom resource from its definition and waits until the server serves it. */
  async define(definition: string): Promise<void> {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const created = await this.call('POST', path, { type: 'application/yaml', text: definition });
    if (created.status !== 201) throw new Error(`definition refused: ${created.status} ${created.body}`);
    const { metadata, spec } = parse(definition) as {
      metadata: { name: string };
      spec: { group: string; names: { plural: string }; versions: { name: string }[] };
    };
    const objects = `/apis/${spec.group}/${spec.versions[0]?.name}/${spec.names.plural}`;
    await waitFor(
      `${metadata.name} is served`,
      async () => (await this.call('GET', objects)).status === 200,
      {
        withinMs: REQUEST_WITHIN_MS,
      },
    );
  }
}

/** Texts of headers such as `299 - "would violate PodSecurity"`. */
function warningsIn(headers: readonly string[]): string[] {
  return headers.map((header) => header.replace(/^\d+ \S+ "(.*)"$/, '$1'));
}
