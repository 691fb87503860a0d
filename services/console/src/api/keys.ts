import type {
  ApiKeyResponse,
  createFineGrainedApiKey,
  CreateFineGrainedApiKeyRequest,
  createIngestionApiKey,
  listApiKeys,
  ResponseOf,
} from '@assay/contracts';
import { call } from './call.js';

export type ApiKey = ApiKeyResponse;
export type NewKey = CreateFineGrainedApiKeyRequest;

const pathOf = (project: string, kind: string) => `/v1/projects/${encodeURIComponent(project)}/${kind}`;

export const keysOf = (project: string, signal?: AbortSignal) =>
  call<ResponseOf<typeof listApiKeys>>({
    ...{ method: 'GET', path: pathOf(project, 'api_keys'), project, signal },
  });

/** Creates a key that can only send. The response is the only one with its text. */
export const createIngestKey = (project: string, name: string) =>
  call<ResponseOf<typeof createIngestionApiKey>>({
    ...{ method: 'POST', path: pathOf(project, 'ingestion_api_keys'), project },
    body: { name },
  });

/** Creates a key with all rights of its project, or some. The response is the only one with its text. */
export const createKey = (project: string, body: NewKey) =>
  call<ResponseOf<typeof createFineGrainedApiKey>>({
    ...{ method: 'POST', path: pathOf(project, 'fine_grained_api_keys'), project, body },
  });

export const revokeKey = (project: string, keyId: string) =>
  call<unknown>({
    ...{ method: 'DELETE', path: `${pathOf(project, 'api_keys')}/${encodeURIComponent(keyId)}`, project },
  });
