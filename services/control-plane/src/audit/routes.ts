import { listAuditEntries } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { AuditEntryCollection } from './audit-entry.js';
import { makeListAuditEntries } from './list-audit-entries.js';

export function auditRoutes(deps: { readonly auditEntries: AuditEntryCollection }): Binding[] {
  return [bind(listAuditEntries, makeListAuditEntries(deps))];
}
