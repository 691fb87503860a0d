import { randomBytes } from 'node:crypto';
import type { TSchema } from '@assay/contracts';
import { isAdministrator, subjectOf } from '@assay/domain';
import type { Logger } from '@assay/runtime';
import type { RequestActor } from '../shared/operation-context.js';
import type { AuditEntryFields, AuditEntryCollection } from './audit-entry.js';

/** Audited action: ids and field names, never names, values or secrets. */
export interface AuditAction {
  /** `<kind>.<past participle>`, such as `key.revoked`. */
  readonly action: string;
  /** Null if the action concerns no single project. */
  readonly projectId: string | null;
  /** Id of the changed object. */
  readonly subjectId: string;
  readonly fields?: readonly string[];
}

/** Actor of an audited action: a request, or this process. */
export type Actor = RequestActor | 'process';

/**
 * Writes an audit entry. Resolves when the entry is stored, so that every acknowledged change has its entry.
 * Throws AppError `UNAVAILABLE` if the entry cannot be stored.
 */
export type Audit = (action: AuditAction, by: Actor) => Promise<void>;

/** Kinds of actions that are also logged, one line each: the administration of the deployment. */
const LOGGED_KINDS = ['administrator', 'project', 'key', 'data_plane'];
const RANDOM_BYTES = 4;

export function makeAudit(deps: {
  auditEntries: AuditEntryCollection;
  logger: Pick<Logger, 'info'>;
  now: () => Date;
}): Audit {
  const nextPosition = makeNextPosition();
  return async function audit(action, by) {
    const at = deps.now().toISOString();
    const entry = { position: nextPosition(at), at, ...entryOf(action, by) };
    log(entry, deps.logger);
    await deps.auditEntries.insert(entry.position, entry);
  };
}

/**
 * Positions consist of the time, a counter within the millisecond, and random digits that distinguish
 * processes.
 */
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

function actorOf(by: Actor): Pick<AuditEntryFields, 'actor' | 'actor_id' | 'actor_name'> {
  if (by === 'process') return { actor: 'process', actor_id: null, actor_name: null };
  if (!isAdministrator(by.caller)) return keyOrPerson(by.caller.keyId, by);
  const { id, name } = by.caller;
  return { actor: 'administrator', actor_id: id, actor_name: name };
}

function keyOrPerson(
  keyId: string,
  { origin }: RequestActor,
): Pick<AuditEntryFields, 'actor' | 'actor_id' | 'actor_name'> {
  const subject = subjectOf(keyId);
  if (subject === undefined) return { actor: 'key', actor_id: keyId, actor_name: null };
  return { actor: 'person', actor_id: subject, actor_name: textOrNull(origin?.identity) };
}

function sourceOf(
  by: Actor,
): Pick<AuditEntryFields, 'identity' | 'address' | 'data_plane_id' | 'data_plane_address' | 'request_id'> {
  const { requestId = null, origin } = by === 'process' ? {} : { ...by };
  const dataPlane = origin?.dataPlane;
  return {
    identity: textOrNull(origin?.identity),
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

/**
 * Returns the declared fields of a request body. Undeclared names are omitted, because they may contain user
 * data.
 */
export function sentFields(schema: TSchema | undefined, body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  const declared = (schema?.properties ?? {}) as object;
  return Object.keys(body).filter((name) => Object.hasOwn(declared, name));
}
