import type { Database, RootDatabase } from 'lmdb';

/** The three key spaces of a collection. */
export interface Spaces {
  readonly root: RootDatabase<Buffer, Buffer>;
  /** id → `[version, fields]` as JSON text. */
  readonly documents: Database<Buffer, Buffer>;
  /** Entries of `indexKeys` → id. */
  readonly index: Database<Buffer, Buffer>;
  /** Entries of `uniqueKeys` → id. */
  readonly unique: Database<Buffer, Buffer>;
}
