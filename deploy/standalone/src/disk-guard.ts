import type { DocumentCollection, DocumentStore } from '@assay/document-store';
import type { EventLog } from '@assay/event-log';
import type { EmbeddedEventStore } from '@assay/event-store/chdb';
import type { Binding } from '@assay/http';
import { guardMethods, type DiskReserve } from '@assay/runtime';

/** Refuses requests while the disk is full, before their body is read. */
export function guardBindings(bindings: readonly Binding[], reserve: DiskReserve): Binding[] {
  return bindings.map((binding) => ({
    route: binding.route,
    handle: async (incoming, context) => {
      reserve.assertAvailable();
      return binding.handle(incoming, context);
    },
  }));
}

/** Refuses appends while the disk is full. Dropping dead letters frees space and stays possible. */
export function guardLog(log: EventLog, reserve: DiskReserve): EventLog {
  return guardMethods(log, ['append', 'deadLetter', 'restoreDeadLetters'], () => reserve.assertAvailable());
}

/** Refuses batches while the disk is full: the store reader retries, and events wait on the log. */
export function guardStore(store: EmbeddedEventStore, reserve: DiskReserve): EmbeddedEventStore {
  return guardMethods(
    store,
    [
      'write',
      'writeEvaluations',
      'removeEvaluations',
      'recordLogEpoch',
      'removeProject',
      'mergeParts',
      'purgeDeleted',
    ],
    () => reserve.assertAvailable(),
  );
}

const DOCUMENT_WRITES = ['insert', 'insertMissing', 'replace', 'replaceAll', 'delete', 'deleteAll'] as const;

/** Refuses writes of documents while the disk is full. */
export function guardDocuments(documents: DocumentStore, reserve: DiskReserve): DocumentStore {
  const check = () => reserve.assertAvailable();
  return {
    collection: async <Fields extends object>(spec: Parameters<DocumentStore['collection']>[0]) =>
      guardMethods<DocumentCollection<Fields>>(
        await documents.collection<Fields>(spec),
        DOCUMENT_WRITES,
        check,
      ),
    check: () => documents.check(),
    inspect: () => documents.inspect(),
    close: () => documents.close(),
  };
}
