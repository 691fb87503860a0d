import { Type, type Static } from '@sinclair/typebox';
import type { Permission, PermissionResource } from '@assay/domain';
import { bodyLimitsOf } from '../../resource-limits.js';
import { defineRoute } from '../../route.js';
import { integer, listOf } from '../../schema/fields.js';
import { cursorText, nextCursor } from '../events/page-events.js';
import { documentKind, movedDocument } from './document-kinds.js';

/** Maximum number of documents in one request or page. */
export const MAX_MOVED_DOCUMENTS = 500;

const RESOURCES: readonly PermissionResource[] = [
  ...(['charts', 'configurations', 'datapoints', 'datasets', 'metrics', 'queues', 'runs'] as const),
];
const all = (what: 'read' | 'write') => RESOURCES.map((one): Permission => `${one}:${what}`);

const exportDocumentsQuery = Type.Object({
  kind: documentKind(),
  cursor: Type.Optional(cursorText('The next_cursor of the previous page.')),
});
export type ExportDocumentsQuery = Static<typeof exportDocumentsQuery>;

export const exportDocuments = defineRoute({
  operation: 'exportDocuments',
  method: 'GET',
  path: '/v1/transfers/documents',
  owner: 'control-plane',
  access: 'project',
  tag: 'Transfers',
  summary: 'Read the documents of a kind as an export contains them, page by page',
  permissions: all('read'),
  query: exportDocumentsQuery,
  response: Type.Object({
    documents: listOf(movedDocument, 'The documents, in an order that does not change.'),
    next_cursor: nextCursor(),
  }),
});

export const importDocumentsRequest = Type.Object(
  {
    kind: documentKind(),
    documents: Type.Array(movedDocument, {
      description: 'The documents.',
      examples: [[{ id: 'd1', name: 'golden questions' }]],
      minItems: 1,
      maxItems: MAX_MOVED_DOCUMENTS,
    }),
  },
  { $id: 'ImportDocumentsRequest', description: 'Documents of one kind.', additionalProperties: false },
);
export type ImportDocumentsRequest = Static<typeof importDocumentsRequest>;

export const importDocuments = defineRoute({
  operation: 'importDocuments',
  method: 'PUT',
  path: '/v1/transfers/documents',
  owner: 'control-plane',
  access: 'project',
  tag: 'Transfers',
  summary: 'Add documents of an export with their ids and times; existing ones are unchanged',
  permissions: all('write'),
  limits: bodyLimitsOf('datapoint'),
  body: importDocumentsRequest,
  response: Type.Object({
    added: integer('Documents that were added.', 1, { minimum: 0 }),
    present: integer('Documents that existed before.', 0, { minimum: 0 }),
  }),
});
