import { AsyncLocalStorage } from 'node:async_hooks';
import type { DocumentCollection, DocumentStore } from '@assay/document-store';
import type { EventLog } from '@assay/event-log';
import type { EmbeddedEventStore } from '@assay/event-store/chdb';
import type { Binding } from '@assay/http';
import { areDeletes } from '@assay/log-readers';
import { guardMethods, type DiskReserve } from '@assay/runtime';

/** The work of a request that deletes, whose writes may use most of the reserve, because it frees space. */
const deleting = new AsyncLocalStorage<true>();

type Sender = Parameters<Binding['handle']>[1]['caller'];

/** Requests of a project that delete while the disk is full, about 1 KB each: one project cannot use up what is left for the others. */
const MAX_DELETES = 10_000;

/**
 * Refuses requests of ingestion while the disk is full, before their body is read, but lets DELETE requests of all routes and deletions by
 * filters write, of each project a limited number, until nothing is left for them.
 */
export function guardBindings(
  ingestion: readonly Binding[],
  others: readonly Binding[],
  reserve: DiskReserve,
): Binding[] {
  return admitDeletes([...ingestion.map((binding) => refuseWhenFull(binding, reserve)), ...others], reserve);
}

function deletes({ route }: Binding): boolean {
  return route.method === 'DELETE' || route.operation === 'createDeletion';
}

function refuseWhenFull(binding: Binding, reserve: DiskReserve): Binding {
  return {
    ...binding,
    handle: async (incoming, context) => {
      if (deletes(binding)) reserve.assertDeletable();
      else reserve.assertAvailable();
      return binding.handle(incoming, context);
    },
  };
}

function admitDeletes(bindings: readonly Binding[], reserve: DiskReserve): Binding[] {
  const counts = new DeleteCounts();
  return bindings.map((binding) =>
    deletes(binding)
      ? {
          ...binding,
          handle: (incoming, context) => {
            counts.count(context.caller, reserve);
            return deleting.run(true, () => binding.handle(incoming, context));
          },
        }
      : binding,
  );
}

/** The requests of projects that delete since the disk has been full. */
class DeleteCounts {
  readonly #byProject = new Map<string, number>();

  /** @throws AppError `INSUFFICIENT_STORAGE` beyond the number that a project may send */
  count(caller: Sender, reserve: DiskReserve): void {
    if (!reserve.isExhausted) return this.#byProject.clear();
    if (caller === undefined || !('projectId' in caller)) return;
    const count = (this.#byProject.get(caller.projectId) ?? 0) + 1;
    if (count > MAX_DELETES) reserve.assertAvailable();
    this.#byProject.set(caller.projectId, count);
  }
}

function assertWritable(reserve: DiskReserve): void {
  if (deleting.getStore() === true) reserve.assertDeletable();
  else reserve.assertAvailable();
}

/** Refuses appends but those of deletes while the disk is full. Dropping dead letters frees space and stays possible. */
export function guardLog(log: EventLog, reserve: DiskReserve): EventLog {
  const assertAppendable = (records: unknown) => {
    if (reserve.isExhausted && areDeletes(records as Parameters<EventLog['append']>[0]))
      reserve.assertDeletable();
    else assertWritable(reserve);
  };
  return guardMethods(
    guardMethods(log, ['deadLetter', 'restoreDeadLetters'], () => assertWritable(reserve)),
    ['append'],
    assertAppendable,
  );
}

/** What deletes need: storing what the log has, of which they are part, and removing values from the disk. */
const STORE_WRITES = ['write', 'removeEvaluations', 'recordLogEpoch'] as const;
const STORE_REMOVALS = ['removeProject', 'purgeDeleted'] as const;
const DELETION_WRITES = ['write', 'forgetFormerVersions'] as const;

/**
 * Refuses batches while the disk is full: the store reader retries, and events wait on the log. Batches with deletes come after
 * those that were accepted before, so batches are stored down to the last quarter of the reserve.
 */
export function guardStore(store: EmbeddedEventStore, reserve: DiskReserve): EmbeddedEventStore {
  const assertDeletable = () => reserve.assertDeletable();
  const assertAvailable = () => reserve.assertAvailable();
  const deletes = guardMethods(store.writer, STORE_WRITES, assertDeletable);
  return {
    ...store,
    writer: guardMethods(deletes, ['writeEvaluations'], assertAvailable),
    deletions: guardMethods(store.deletions, DELETION_WRITES, assertDeletable),
    administration: guardMethods(store.administration, STORE_REMOVALS, assertDeletable),
    mergeParts: async (limits) => {
      assertAvailable();
      return store.mergeParts(limits);
    },
  };
}

const DOCUMENT_WRITES = ['insert', 'insertMissing', 'replace', 'replaceAll'] as const;
const DOCUMENT_DELETES = ['delete', 'deleteAll'] as const;

/** Refuses writes of documents while the disk is full, and deletes while nothing is left for them. */
export function guardDocuments(documents: DocumentStore, reserve: DiskReserve): DocumentStore {
  const guard = <Fields extends object>(collection: DocumentCollection<Fields>) =>
    guardMethods(
      guardMethods(collection, DOCUMENT_DELETES, () => reserve.assertDeletable()),
      DOCUMENT_WRITES,
      () => assertWritable(reserve),
    );
  return {
    collection: async <Fields extends object>(spec: Parameters<DocumentStore['collection']>[0]) =>
      guard(await documents.collection<Fields>(spec)),
    check: () => documents.check(),
    inspect: () => documents.inspect(),
    close: () => documents.close(),
  };
}
