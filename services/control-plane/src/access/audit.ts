import { isAdministrator, type Principal } from '@assay/domain';
import type { Logger } from '@assay/runtime';

/** What happened to a project or a key, and who did it: ids, never names, values or secrets. */
export interface AuditEntry {
  readonly action: 'project created' | 'project changed' | 'project deleted' | 'key created' | 'key revoked';
  readonly projectId: string;
  readonly keyId?: string;
}
export type Audit = (entry: AuditEntry, by: Principal | 'start') => void;

/** One log line for each action, after it was done. */
export function auditTo(logger: Pick<Logger, 'info'>): Audit {
  return ({ action, projectId, keyId }, by) => {
    const actor = by === 'start' ? 'start of the process' : isAdministrator(by) ? 'administrator' : by.keyId;
    logger.info(action, { audit: true, projectId, keyId, by: actor });
  };
}
