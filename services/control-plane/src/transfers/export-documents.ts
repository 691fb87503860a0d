import {
  DOCUMENT_SCHEMAS,
  MAX_MOVED_DOCUMENTS,
  type ExportDocumentsQuery,
  type MovedDocument,
  type ResponseOf,
  type exportDocuments as route,
} from '@assay/contracts';
import { cursorError, readCursor, writeCursor, type DocumentKind } from '@assay/domain';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { collectionOf, queriesOf, type TransferDeps } from './moved-collections.js';

/** Approximate size of a page, in bytes of JSON. */
const PAGE_BYTES = 4 * 1024 * 1024;

/** Where a page begins: the query, the value that its field has last had, and how many documents so far have it. */
interface Position {
  readonly query: number;
  readonly value: string | undefined;
  readonly count: number;
}

/** Returns a page of the documents of a kind. Leases and fields that a schema does not know stay behind. */
export function makeExportDocuments(deps: TransferDeps) {
  return async function exportDocuments(
    { query: { kind, cursor } }: { query: ExportDocumentsQuery },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const collection = new ProjectScopedCollection(collectionOf(deps, kind), caller.projectId);
    const queries = queriesOf(kind);
    const position = cursor === undefined ? START : readPosition(kind, cursor);
    const query = queries[position.query];
    if (query === undefined) throw cursorError();
    const { value, count } = position;
    const page = await collection.page(
      {
        ...query,
        ...(value !== undefined && { where: [{ field: query.orderBy, from: value }], offset: count }),
        maxBytes: PAGE_BYTES,
      },
      MAX_MOVED_DOCUMENTS,
    );
    const rows = page as unknown as MovedDocument[];
    const next = positionAfter(position, { values: rows.map((row) => String(row[query.orderBy])), queries });
    return {
      documents: rows.map((row) => movedDocument(kind, row)),
      next_cursor: next && writeCursor(cursorKind(kind), [next.query, next.value ?? null, next.count]),
    };
  };
}

const START: Position = { query: 0, value: undefined, count: 0 };

function positionAfter(
  { query, value: before, count }: Position,
  { values, queries }: { readonly values: readonly string[]; readonly queries: readonly unknown[] },
): Position | null {
  const value = values.at(-1);
  if (value === undefined) return query + 1 < queries.length ? { ...START, query: query + 1 } : null;
  const equal = values.filter((one) => one === value).length;
  return { query, value, count: value === before ? count + equal : equal };
}

function cursorKind(kind: DocumentKind): string {
  return `documents ${kind}`;
}

function readPosition(kind: DocumentKind, cursor: string): Position {
  const [query, value, count, ...rest] = readCursor(cursorKind(kind), cursor);
  const isValue = value === null || typeof value === 'string';
  if (!Number.isInteger(query) || !isValue || !Number.isInteger(count) || rest.length > 0)
    throw cursorError();
  return { query: query as number, value: value ?? undefined, count: count as number };
}

function movedDocument(kind: DocumentKind, document: MovedDocument): MovedDocument {
  const names = Object.keys(DOCUMENT_SCHEMAS[kind].properties);
  const known = names.filter((name) => document[name] !== undefined);
  return Object.fromEntries(known.map((name) => [name, document[name]])) as MovedDocument;
}
