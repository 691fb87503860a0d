import { readPayload, type PayloadAddress } from '../api/payload-stream.js';
import { indexBytes, type ByteIndex } from './byte-index.js';
import { OpenRows } from './open-rows.js';

/** A payload in memory, with what is open of it. */
export interface PayloadDocument {
  readonly index: ByteIndex;
  readonly rows: OpenRows;
}

/** Bytes of all documents together; beyond it those that were used longest ago are dropped. */
const MAX_CACHED_BYTES = 64_000_000;
/** Rows that a document shows when it opens. */
const FIRST_ROWS = 200;

/** Payloads by address. Concurrent readers of one payload share its request. */
export class DocumentCache {
  private readonly documents = new Map<string, Promise<PayloadDocument>>();
  private readonly sizes = new Map<string, number>();

  /** @throws ApiError, OfflineError when the payload cannot be read; it is read again by the next call */
  get(address: PayloadAddress, version: string): Promise<PayloadDocument> {
    const key = JSON.stringify([address.project, address.eventId, address.field, version]);
    const known = this.documents.get(key);
    this.documents.delete(key);
    const document = known ?? this.read(key, address);
    this.documents.set(key, document);
    return document;
  }

  private async read(key: string, address: PayloadAddress): Promise<PayloadDocument> {
    try {
      const index = indexBytes(await readPayload(address));
      const rows = new OpenRows(index);
      rows.openFirstLevels(FIRST_ROWS);
      this.sizes.set(key, index.bytes.length);
      this.dropOldest();
      return { index, rows };
    } catch (error) {
      this.documents.delete(key);
      throw error;
    }
  }

  private dropOldest(): void {
    let total = [...this.sizes.values()].reduce((sum, size) => sum + size, 0);
    for (const key of this.documents.keys()) {
      const size = this.sizes.get(key);
      if (total <= MAX_CACHED_BYTES || size === undefined) continue;
      total -= size;
      this.documents.delete(key);
      this.sizes.delete(key);
    }
  }
}
