import type { EventLog, LogPosition, LogRecord } from '@assay/event-log';

/**
 * The log as the `store` reader appends to it. Remembers its end after the last append, so that a read that waits for what
 * was accepted before it also waits for what storing that has appended.
 */
export class HandOverLog {
  #end: LogPosition = new Map();

  constructor(private readonly log: Pick<EventLog, 'append' | 'end'>) {}

  /** @throws AppError as {@link EventLog.append} */
  async append(records: readonly LogRecord[]): Promise<void> {
    if (records.length === 0) return;
    await this.log.append(records);
    this.#end = await this.log.end();
  }

  /** Returns the end of the log after the last append; empty before. */
  end(): LogPosition {
    return this.#end;
  }
}
