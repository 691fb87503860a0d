import { createFineGrainedApiKey, createIngestionApiKey, deleteApiKey, listApiKeys } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { Audit } from '../../audit/audit.js';
import type { ProjectCollection } from '../projects/project-document.js';
import { makeCreateFineGrainedApiKey } from './create-fine-grained-api-key.js';
import { makeCreateIngestionApiKey } from './create-ingestion-api-key.js';
import { makeDeleteApiKey } from './delete-api-key.js';
import type { IssueKey } from './issue-key.js';
import type { ApiKeyCollection } from './key-document.js';
import { makeListApiKeys } from './list-api-keys.js';

export interface ApiKeyDeps {
  readonly projects: ProjectCollection;
  readonly keys: ApiKeyCollection;
  readonly issueKey: IssueKey;
  readonly audit: Audit;
  readonly now: () => Date;
}

export function apiKeyRoutes(deps: ApiKeyDeps): Binding[] {
  return [
    bind(createIngestionApiKey, makeCreateIngestionApiKey(deps)),
    bind(createFineGrainedApiKey, makeCreateFineGrainedApiKey(deps)),
    bind(listApiKeys, makeListApiKeys(deps)),
    bind(deleteApiKey, makeDeleteApiKey(deps)),
  ];
}
