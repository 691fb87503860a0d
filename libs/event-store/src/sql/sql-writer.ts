import { createYieldToEventLoop, runCooperatively } from '@assay/runtime';
import type { EvaluationRow, EventKey, LogEpoch, StoreBatch, WriterPort } from '../event-store.js';
import { extractMediaSteps, mayHaveMedia, type BatchWithMedia, type Media } from './media/extract-media.js';
import { storeMedia, UNUSED_MEDIA_SECONDS } from './media/store-media.js';
import { chunks } from './read/rows/chunks.js';
import { byProject } from './read/rows/keys-by-project.js';
import { isStoredId } from './read/rows/stored-id.js';
import { readLogEpochs } from './read/states/read-log-epochs.js';
import { copyIds } from './schema/event-ids.js';
import { writeBatch } from './write/write-batch.js';
import { removeEvaluations, writeEvaluations } from './write/write-evaluations.js';
import { writeLogEpoch } from './write/write-log-epoch.js';
import type { SqlContext } from './sql-context.js';

/** Events of one statement. */
const IDS_PER_REMOVAL = 1_000;

/** Of the age from which unused media are removed, the share that a write takes before it stores its media again. A third would be too late. */
const SAFE_SHARE = 6;

const extractMedia = (batch: StoreBatch): Promise<BatchWithMedia> =>
  runCooperatively(extractMediaSteps(batch), createYieldToEventLoop());

/** Writes batches, evaluations and positions of the log. */
export class SqlWriter implements WriterPort {
  constructor(private readonly context: SqlContext) {}

  async write(batch: StoreBatch): Promise<void> {
    const { writes } = this.context;
    const writing = this.writeWhole(batch);
    writes.add(writing);
    try {
      await writing;
    } finally {
      writes.delete(writing);
    }
  }

  private async writeWhole(batch: StoreBatch): Promise<void> {
    const { engine, tables, instance, options } = this.context;
    const written = this.context.beginChange();
    options.flagged?.note(batch.changes);
    try {
      const startedAt = Date.now();
      const found = options.storeMediaOnce && mayHaveMedia(batch) ? await extractMedia(batch) : undefined;
      if (found) await this.storeMedia(found.media);
      await writeBatch(engine, tables, { ...(found?.batch ?? batch), token: `${instance}:${batch.token}` });
      // The machine was asleep meanwhile, or the engine slow: media that nothing referred to may have been removed.
      if (found && Date.now() - startedAt >= (this.unusedSeconds * 1_000) / SAFE_SHARE)
        await this.storeMedia(found.media);
    } finally {
      written();
    }
  }

  private async storeMedia(media: readonly Media[]): Promise<void> {
    const { engine, tables } = this.context;
    if (media.length > 0) await storeMedia(engine, tables, media, this.unusedSeconds);
  }

  private get unusedSeconds(): number {
    return this.context.options.unusedMediaSeconds ?? UNUSED_MEDIA_SECONDS;
  }

  writeMissingIds(since: number): Promise<void> {
    const { engine, topology } = this.context;
    return engine.command(copyIds(topology, `stored_at >= ${Math.max(0, Math.floor(since))}`));
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
