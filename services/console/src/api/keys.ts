import type { createIngestionApiKey, ResponseOf } from '@assay/contracts';
import { call } from './call.js';

/** Creates a key that can only send. The response is the only one with its text. */
export const createIngestKey = (project: string, name: string) =>
  call<ResponseOf<typeof createIngestionApiKey>>({
    ...{ method: 'POST', path: `/v1/projects/${encodeURIComponent(project)}/ingestion_api_keys`, project },
    body: { name },
  });
