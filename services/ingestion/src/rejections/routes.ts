import { listRejections } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { RejectionLog } from './rejection-log.js';

export function rejectionRoutes({ rejections }: { readonly rejections: RejectionLog }): Binding[] {
  return [
    bind(listRejections, (_request, { caller }) =>
      Promise.resolve({ rejections: rejections.list(caller.projectId) }),
    ),
  ];
}
