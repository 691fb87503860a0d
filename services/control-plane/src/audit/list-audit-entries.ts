import type {
  AuditEntryResponse,
  ResponseOf,
  ListAuditEntriesQuery,
  listAuditEntries as route,
} from '@assay/contracts';
import type { Condition } from '@assay/document-store';
import { acceptBound } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { AuditEntry, AuditEntryCollection } from './audit-entry.js';

const DEFAULT_LIMIT = 100;
const POSITION = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z-[0-9a-f]{12}$/;
/** Suffix that sorts after every position of the same millisecond. */
const AFTER_MILLISECOND = '~';

/**
 * Lists a page of the audit trail, newest first. The cursor is the position of the last entry of the previous
 * page, so that new entries do not shift pages. Administrator only. @throws AppError `VALIDATION_ERROR` for
 * an invalid cursor
 */
export function makeListAuditEntries(deps: { auditEntries: AuditEntryCollection }) {
  return async function listAuditEntries({
    query,
  }: {
    query: ListAuditEntriesQuery;
  }): Promise<ResponseOf<typeof route>> {
    const { project_id, action, limit = DEFAULT_LIMIT, cursor } = query;
    const equals = {
      ...(project_id !== undefined && { project_id }),
      ...(action !== undefined && { action }),
    };
    // One extra entry shows whether another page follows, and one may be the entry of the cursor itself.
    const found = await deps.auditEntries.list({
      equals,
      where: bounds(query),
      orderBy: 'position',
      descending: true,
      limit: limit + 2,
    });
    const rest = found.filter(({ position }) => cursor === undefined || position < cursor);
    const page = rest.slice(0, limit);
    return {
      entries: page.map(toAuditEntryResponse),
      next_cursor: rest.length > limit ? (page.at(-1)?.position ?? null) : null,
    };
  };
}

function bounds({ from, to, cursor }: ListAuditEntriesQuery): Condition[] {
  if (cursor !== undefined && !POSITION.test(cursor))
    throw validationError('cursor must be the next_cursor of a previous page');
  const [first, last] = [acceptBound(from, 'from', 'from'), acceptBound(to, 'to', 'to')];
  const upper = [last === undefined ? [] : `${iso(last)}${AFTER_MILLISECOND}`, cursor ?? []].flat().sort()[0];
  const range = {
    ...(first !== undefined && { from: iso(first) }),
    ...(upper !== undefined && { to: upper }),
  };
  return Object.keys(range).length === 0 ? [] : [{ field: 'position', ...range }];
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

function toAuditEntryResponse({
  id: _id,
  version: _version,
  position: _position,
  fields,
  actor_name = null,
  identity = null,
  ...entry
}: AuditEntry): AuditEntryResponse {
  return { ...entry, actor_name, identity, fields: [...fields] };
}
