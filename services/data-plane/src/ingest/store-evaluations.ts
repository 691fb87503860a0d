import { createHash } from 'node:crypto';
import { readEvaluations } from '@assay/contracts';
import type { EvaluationRow, EventKey, WriterPort, StatesPort } from '@assay/event-store';
import { eventKey } from '@assay/log-readers';
import type { ConsumedEventRecord } from '../shared/consumed-event-record.js';

/** The ports of the store that evaluations are written with. */
export interface EvaluationStore {
  readonly writer: WriterPort;
  readonly states: StatesPort;
}

/**
 * Writes the evaluations of a batch. Their events, and the sessions of these, may be deleted concurrently by a reader of
 * another partition: that reader writes its flag before it removes evaluations, and this one reads the flags after it
 * has written, so at least one of the two removes them.
 */
export async function storeEvaluations(
  store: EvaluationStore,
  records: readonly ConsumedEventRecord[],
): Promise<void> {
  if (records.length === 0) return;
  const hash = createHash('sha256');
  const sessions = new Map<string, EventKey>();
  const rows: EvaluationRow[] = [];
  for (const { key, record, source } of records) {
    const { projectId, eventId } = record;
    const { sessionId, evaluations } = readEvaluations(record);
    hash.update(`${source.partition}:${source.offset}:${key};`);
    sessions.set(key, { projectId, eventId: sessionId });
    for (const evaluation of evaluations)
      rows.push({ ...evaluation, projectId, eventId, logPartition: source.partition });
  }
  await store.writer.writeEvaluations(rows, hash.digest('hex'));
  const events = new Map(records.map(({ key, record }) => [key, record]));
  const flags = await store.states.changeFlags([...events.values(), ...sessions.values()]);
  const isDeleted = (key: string) => flags.get(key)?.deleted === true;
  const deleted = [...events].filter(([key]) => {
    const session = sessions.get(key);
    return isDeleted(key) || (session !== undefined && isDeleted(eventKey(session)));
  });
  await store.writer.removeEvaluations(deleted.map(([, { projectId, eventId }]) => ({ projectId, eventId })));
}
