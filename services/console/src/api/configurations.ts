import type { listConfigurations, ResponseOf } from '@assay/contracts';
import { call } from './call.js';

export type Configuration = ResponseOf<typeof listConfigurations>['configurations'][number];

export const allConfigurations = (project: string, signal?: AbortSignal) =>
  call<ResponseOf<typeof listConfigurations>>({
    ...{ method: 'GET', path: '/v1/configurations', project, signal },
  });
