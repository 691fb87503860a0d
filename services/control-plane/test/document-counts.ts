import type { DocumentCollection, DocumentStore } from '@assay/document-store';

/** Number of documents by collection. */
export interface Counted {
  /** Documents that were read. */
  readonly read: Map<string, number>;
  /** Documents that were written or deleted. */
  readonly written: Map<string, number>;
}

/** Wraps a store; `counted` contains the reads and writes since it was cleared. */
export function countDocuments(documents: DocumentStore): { documents: DocumentStore; counted: Counted } {
  const counted: Counted = { read: new Map(), written: new Map() };
  const collection = async <Fields extends object>(spec: Parameters<DocumentStore['collection']>[0]) =>
    watch(await documents.collection<Fields>(spec), spec.name, counted);
  const watched = {
    collection,
    check: () => documents.check(),
    inspect: () => documents.inspect(),
    close: () => documents.close(),
  };
  return { documents: watched, counted };
}

const WRITES: readonly string[] = ['insert', 'insertMissing', 'replace', 'replaceAll', 'delete', 'deleteAll'];
const READS: readonly string[] = ['get', 'getAll', 'getAllWithin', 'findUnique', 'list'];

function watch<Fields extends object>(
  collection: DocumentCollection<Fields>,
  name: string,
  counted: Counted,
): DocumentCollection<Fields> {
  const add = (to: Map<string, number>, documents: unknown) =>
    to.set(name, (to.get(name) ?? 0) + numberOf(documents));
  return new Proxy(collection, {
    get(target, method) {
      const call: unknown = Reflect.get(target, method);
      if (typeof call !== 'function') return call;
      return async (...parameters: unknown[]) => {
        const result = (await Reflect.apply(call, target, parameters)) as unknown;
        if (WRITES.includes(String(method))) add(counted.written, parameters[0]);
        if (READS.includes(String(method))) add(counted.read, result);
        return result;
      };
    },
  });
}

function numberOf(documents: unknown): number {
  if (Array.isArray(documents)) return documents.length;
  return documents === undefined ? 0 : 1;
}
