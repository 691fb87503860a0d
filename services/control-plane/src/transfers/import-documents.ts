import {
  compile,
  DOCUMENT_SCHEMAS,
  type ImportDocumentsRequest,
  type MovedDocument,
  type ResponseOf,
  type importDocuments as route,
} from '@assay/contracts';
import { DOCUMENT_KINDS, type DocumentKind } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection, type ProjectOwned } from '../shared/project-scoped-collection.js';
import { assertDocumentSize } from './assert-document-size.js';
import { collectionOf, type TransferDeps } from './moved-collections.js';

/** Kinds that are listed in one response, so that a project has at most 10,000. */
const LISTED: Partial<Readonly<Record<DocumentKind, { readonly is_active: true } | Record<never, never>>>> = {
  datasets: {},
  metrics: { is_active: true },
  configurations: {},
  charts: {},
  queues: { is_active: true },
};

const CHECKS = Object.fromEntries(
  DOCUMENT_KINDS.map((kind) => [kind, compile(DOCUMENT_SCHEMAS[kind], 'document')]),
) as Readonly<Record<DocumentKind, (value: unknown) => unknown>>;

/**
 * Adds documents of an export under their ids, with their times. A document that exists stays unchanged, so a repeated
 * import changes nothing.
 * @throws AppError `VALIDATION_ERROR` naming a document and its field, `PAYLOAD_TOO_LARGE` for one beyond the maximum size of its
 * kind, `CONFLICT` beyond the quota of the kind
 */
export function makeImportDocuments(deps: TransferDeps) {
  return async function importDocuments(
    { body: { kind, documents } }: { body: ImportDocumentsRequest },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    for (const [index, document] of documents.entries()) assertKind(kind, document, index);
    const collection = new ProjectScopedCollection(collectionOf(deps, kind), caller.projectId);
    const found = new Set((await collection.getAll(documents.map(({ id }) => id))).map(({ id }) => id));
    const missing = documents.filter(({ id }) => !found.has(id));
    const quota = LISTED[kind];
    if (quota !== undefined && missing.length > 0) await collection.assertQuota(kind, quota);
    await collection.insertMissing(
      missing.map(({ id, ...fields }) => ({ id, fields: fields as unknown as ProjectOwned })),
    );
    return { added: missing.length, present: found.size };
  };
}

function assertKind(kind: DocumentKind, document: MovedDocument, index: number): void {
  try {
    CHECKS[kind](document);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : 'is not valid';
    throw validationError(`documents[${index}]: ${message}`, { cause });
  }
  assertDocumentSize(kind, document, `documents[${index}]`);
}
