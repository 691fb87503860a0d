import { randomUUID } from 'node:crypto';
import type { ConsumedRecord, LogRecord } from '@assay/event-log';
import type { EventStore } from '@assay/event-store';
import { aReaderOf, consumed, NOW } from './store-batch-fixture.js';

/** A log whose records are read when the test says so. */
export class AppendedRecords {
  private readonly appended: LogRecord[] = [];

  constructor(private readonly store: EventStore) {}

  readonly append = (records: readonly LogRecord[]): Promise<void> => {
    this.appended.push(...records);
    return Promise.resolve();
  };

  /** Reads the records appended so far, by a reader with empty caches, until none is appended any more. */
  async readAll(): Promise<number> {
    let count = 0;
    for (let records = this.take(); records.length > 0; records = this.take()) {
      count += records.length;
      if (count > 20) throw new Error('records are appended without end');
      await this.reader()(records);
    }
    return count;
  }

  reader() {
    return aReaderOf(this.store, undefined, undefined, this.append);
  }

  private take(): ConsumedRecord[] {
    const records = this.appended.splice(0);
    const offset = consumed('move', randomUUID()).offset;
    return records.map((record) => ({ ...record, partition: 1, offset, appendedAt: NOW }));
  }
}
