import { randomBytes } from 'node:crypto';
import type { TSchema } from '@assay/contracts';
import { isAdministrator } from '@assay/domain';
import type { Logger } from '@assay/runtime';
import type { RequestActor } from '../shared/operation-context.js';
import type { AuditEntryFields, AuditEntryCollection } from './audit-entry.js';

/** What was done: ids and names of fields, never names, values or secrets. */
export interface AuditAction {
  /** `<kind>.<what happened>`, such as `key.revoked`. */
  readonly action: string;
  /** Null when it belongs to no project, or to several. */
  readonly projectId: string | null;
  /** Id of what it was done to. */
  readonly subjectId: string;
  readonly fields?: readonly string[];
}

/** Who did it: somebody by a request, or this process by itself. */
export type Actor = RequestActor | 'process';

/**
 * Writes an entry of the audit trail. It resolves when the entry is kept, so that what is answered has its entry.
 * It throws AppError `UNAVAILABLE` when it cannot be kept.
 */
export type Audit = (deed: AuditAction, by: Actor) => Promise<void>;

/** What administers the deployment is also logged, a line for each deed. */
const LOGGED_KINDS = ['project', 'key', 'data_plane'];
const RANDOM_BYTES = 4;

export function makeAudit(deps: {
  auditEntries: AuditEntryCollection;
  logger: Pick<Logger, 'info'>;
  now: () => Date;
}): Audit {
  const nextPosition = makeNextPosition();
  return async function audit(deed, by) {
    const at = deps.now().toISOString();
    const entry = { position: nextPosition(at), at, ...entryOf(deed, by) };
    log(entry, deps.logger);
    await deps.auditEntries.insert(entry.position, entry);
  };
}

/** The time, four digits that count what this process does in the same millisecond, and random ones that keep processes apart. */
function makeNextPosition(): (at: string) => string {
  let last = '';
  let count = 0;
  return function nextPosition(at) {
    count = at === last ? Math.min(count + 1, 0xffff) : 0;
    last = at;
    return `${at}-${count.toString(16).padStart(4, '0')}${randomBytes(RANDOM_BYTES).toString('hex')}`;
  };
}

function entryOf(
  { action, projectId, subjectId, fields = [] }: AuditAction,
  by: Actor,
): Omit<AuditEntryFields, 'position' | 'at'> {
  return { action, ...actorOf(by), project_id: projectId, subject_id: subjectId, fields, ...sourceOf(by) };
}

function actorOf(by: Actor): Pick<AuditEntryFields, 'actor' | 'actor_id'> {
  if (by === 'process') return { actor: 'process', actor_id: null };
  return isAdministrator(by.caller)
    ? { actor: 'administrator', actor_id: null }
    : { actor: 'key', actor_id: by.caller.keyId };
}

function sourceOf(
  by: Actor,
): Pick<AuditEntryFields, 'address' | 'data_plane_id' | 'data_plane_address' | 'request_id'> {
  const { requestId = null, origin } = by === 'process' ? {} : { ...by };
  const dataPlane = origin?.dataPlane;
  return {
    address: textOrNull(origin?.address),
    data_plane_id: textOrNull(dataPlane?.id),
    data_plane_address: textOrNull(dataPlane?.address),
    request_id: requestId,
  };
}

function textOrNull(text = ''): string | null {
  return text === '' ? null : text;
}

function log(
  { action, actor, actor_id, project_id, subject_id }: AuditEntryFields,
  logger: Pick<Logger, 'info'>,
): void {
  const [kind = ''] = action.split('.');
  if (!LOGGED_KINDS.includes(kind)) return;
  logger.info(action.replace('.', ' '), {
    audit: true,
    projectId: project_id ?? undefined,
    subjectId: subject_id,
    by: actor_id ?? actor,
  });
}

/** The declared fields that were sent: a name that the schema does not know may be a value of the client's. */
export function sentFields(schema: TSchema | undefined, body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  const declared = (schema?.properties ?? {}) as object;
  return Object.keys(body).filter((name) => Object.hasOwn(declared, name));
}
