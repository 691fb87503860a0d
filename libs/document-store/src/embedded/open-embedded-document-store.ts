import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { unavailable } from '@assay/errors';
import { open, type RootDatabase } from 'lmdb';
import type { CollectionSpec, DocumentCollection, DocumentStore } from '../document-store.js';
import { checkSpec } from '../rules/collection-spec.js';
import { EmbeddedCollection } from './embedded-collection.js';

const BYTES = { keyEncoding: 'binary', encoding: 'binary' } as const;

/**
 * - `overlappingSync` off: a commit includes the sync to disk, so that a transaction resolves only when it would survive a loss of
 *   power. Writes that wait for a sync share the next one.
 * - `eventTurnBatching` off: it makes a promise of its own for each batch, whose rejection nobody could handle.
 * - Three key spaces for each collection, and room for many collections.
 */
const ENGINE = { overlappingSync: false, eventTurnBatching: false, maxDbs: 512 } as const;

/**
 * Documents in LMDB, in the file `documents.mdb` of the folder `dir`, which is made when it is not there.
 * @throws AppError `UNAVAILABLE` when the folder cannot be used
 */
export function openEmbeddedDocumentStore(options: { readonly dir: string }): Promise<DocumentStore> {
  return Promise.resolve().then(() => {
    try {
      mkdirSync(options.dir, { recursive: true, mode: 0o700 });
      const path = join(options.dir, 'documents.mdb');
      return new EmbeddedDocumentStore(open<Buffer, Buffer>({ path, ...BYTES, ...ENGINE }));
    } catch (cause) {
      throw unavailable('the folder of the documents cannot be opened', cause);
    }
  });
}

class EmbeddedDocumentStore implements DocumentStore {
  private closing: Promise<void> | undefined;

  constructor(private readonly root: RootDatabase<Buffer, Buffer>) {}

  async collection<Fields extends object>(spec: CollectionSpec): Promise<DocumentCollection<Fields>> {
    checkSpec(spec);
    const spaces = await this.access(() => ({
      root: this.root,
      documents: this.root.openDB({ name: spec.name, ...BYTES }),
      index: this.root.openDB({ name: `${spec.name}.index`, ...BYTES }),
      unique: this.root.openDB({ name: `${spec.name}.unique`, ...BYTES }),
    }));
    const collection = new EmbeddedCollection<Fields>(spec, spaces, (action) => this.access(action));
    await this.rebuildWhenChanged(spec, () => collection.rebuild());
    return collection;
  }

  async check(): Promise<void> {
    await this.access(() => this.root.get(Buffer.from('check')));
  }

  close(): Promise<void> {
    this.closing ??= this.root.close();
    return this.closing;
  }

  /** The sets that the entries were made for are kept beside them: a new release may declare others. */
  private async rebuildWhenChanged(spec: CollectionSpec, rebuild: () => Promise<void>): Promise<void> {
    const key = Buffer.from(`sets of ${spec.name}`);
    const sets = Buffer.from(JSON.stringify([spec.unique, spec.indexes]));
    const known = await this.access(() => this.root.get(key));
    if (known?.equals(sets)) return;
    await rebuild();
    await this.access(() => this.root.put(key, sets));
  }

  private async access<T>(action: () => T | Promise<T>): Promise<T> {
    if (this.closing) throw unavailable('the document store is closed');
    try {
      return await action();
    } catch (error) {
      throw unavailable('the document store cannot read or write its file', await causeOf(error));
    }
  }
}

/** A failed commit rejects with a shell whose `commitError` is a promise that rejects with the engine's own error. */
async function causeOf(error: unknown): Promise<unknown> {
  if (typeof error !== 'object' || error === null || !('commitError' in error)) return error;
  return Promise.resolve(error.commitError).then(
    () => error,
    (cause: unknown) => cause,
  );
}
