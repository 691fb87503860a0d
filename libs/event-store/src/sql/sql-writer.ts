import type { EvaluationRow, EventKey, LogEpoch, StoreBatch, WriterPort } from '../event-store.js';
import { chunks } from './read/rows/chunks.js';
import { byProject } from './read/rows/keys-by-project.js';
import { isStoredId } from './read/rows/stored-id.js';
import { readLogEpochs } from './read/states/read-log-epochs.js';
import { writeBatch } from './write/write-batch.js';
import { removeEvaluations, writeEvaluations } from './write/write-evaluations.js';
import { writeLogEpoch } from './write/write-log-epoch.js';
import type { SqlContext } from './sql-context.js';

/** Events of one statement. */
const IDS_PER_REMOVAL = 1_000;

/** Writes batches, evaluations and positions of the log. */
export class SqlWriter implements WriterPort {
  constructor(private readonly context: SqlContext) {}

  async write(batch: StoreBatch): Promise<void> {
    const { engine, tables, instance, completeness, options } = this.context;
    const written = this.context.beginChange();
    options.flagged?.note(batch.changes);
    try {
      await writeBatch(engine, tables, { ...batch, token: `${instance}:${batch.token}` });
    } catch (error) {
      // One of the two tables may have it.
      completeness.doubt();
      throw error;
    } finally {
      written();
    }
  }

  writeEvaluations(rows: readonly EvaluationRow[], token: string): Promise<void> {
    const stored = rows.filter(({ eventId }) => isStoredId(eventId));
    const { engine, tables, instance } = this.context;
    return writeEvaluations(engine, tables, { rows: stored, token: `${instance}:${token}` });
  }

  async removeEvaluations(keys: readonly EventKey[]): Promise<void> {
    const { engine, tables } = this.context;
    for (const [projectId, ids] of byProject(keys))
      for (const eventIds of chunks([...ids], IDS_PER_REMOVAL))
        await removeEvaluations(engine, tables, { projectId, eventIds });
  }

  logEpochs(): Promise<readonly LogEpoch[]> {
    return readLogEpochs(this.context.engine, this.context.tables);
  }

  recordLogEpoch(epoch: LogEpoch): Promise<void> {
    return writeLogEpoch(this.context.engine, this.context.tables, epoch);
  }
}
