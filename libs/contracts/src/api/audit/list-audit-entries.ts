import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { choice, integer, listOf, text, textList, textOrNull } from '../../schema/fields.js';

export const ACTOR_KINDS = ['administrator', 'key', 'person', 'process'] as const;
/** `process`: the control plane itself, at its start or during maintenance. */
export type ActorKind = (typeof ACTOR_KINDS)[number];

const PROJECT = '65c13dbbd65fb876b7886cdb';
const PLACE = '2026-11-01T00:00:00.000Z-5d41402abc4b';

/** Audit entry: ids and field names, never values or secrets. */
export const auditEntry = Type.Object(
  {
    at: text('Time of the change, ISO 8601.', '2026-11-01T00:00:00.000Z'),
    action: text('Action and subject type.', 'metric.deployed'),
    actor: choice<ActorKind>(ACTOR_KINDS, 'Who did it.', 'key'),
    actor_id: textOrNull(
      'Id of the key, or of the named administrator, or the subject of the person; null for other actors.',
      '8Jx2m0aQ4bYv7LkT1sWn5cRe',
    ),
    actor_name: textOrNull(
      'Name of the administrator or person; null for other actors, and in entries of earlier releases.',
      null,
    ),
    identity: textOrNull(
      'Name of the person, as the authenticating proxy states it: a claim of that proxy; null: none.',
      'ada@example.com',
    ),
    project_id: textOrNull('Project of the subject; null: none, or several.', PROJECT),
    subject_id: text('Id of the subject.', PROJECT),
    fields: textList('Names of the fields that were sent.', ['name', 'threshold']),
    address: textOrNull('IP address of the client; null when there is none.', '198.51.100.7'),
    data_plane_id: textOrNull(
      'The data plane that proxied the request and authenticated its caller; null: none.',
      null,
    ),
    data_plane_address: textOrNull('IP address of that data plane.', null),
    request_id: textOrNull(
      'The request, as in X-Request-Id; null when there is none.',
      '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e',
    ),
  },
  { $id: 'AuditEntry', description: 'An audit entry.' },
);
export type AuditEntryResponse = Static<typeof auditEntry>;

const time = (description: string) => text(description, '2026-11-01T00:00:00.000Z', { maxLength: 40 });

const listAuditEntriesQuery = Type.Object({
  project_id: Type.Optional(text('Only entries of this project.', PROJECT, { minLength: 1, maxLength: 200 })),
  action: Type.Optional(
    text('Only entries of this action.', 'metric.deployed', { minLength: 1, maxLength: 100 }),
  ),
  from: Type.Optional(time('Only entries at or after this time, or on this day, ISO 8601.')),
  to: Type.Optional(time('Only entries at or before this time, or until the end of this day, ISO 8601.')),
  limit: Type.Optional(integer('Entries per page; 100 when absent.', 100, { minimum: 1, maximum: 500 })),
  cursor: Type.Optional(
    text('The next_cursor of the previous page.', PLACE, { minLength: 1, maxLength: 100 }),
  ),
});
export type ListAuditEntriesQuery = Static<typeof listAuditEntriesQuery>;

export const listAuditEntries = defineRoute({
  operation: 'listAuditEntries',
  method: 'GET',
  path: '/v1/audit-entries',
  owner: 'control-plane',
  access: 'admin',
  console: true,
  tag: 'Audit',
  summary: 'List audit entries, newest first',
  query: listAuditEntriesQuery,
  response: Type.Object({
    entries: listOf(auditEntry, 'The entries of the page.'),
    next_cursor: textOrNull('Cursor of the next page; null on the last page.', PLACE),
  }),
});
