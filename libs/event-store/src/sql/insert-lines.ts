import type { EventChanges, EventRow, StoreBatch, Tombstone } from '../event-store.js';

const CLOSING_BRACE = 0x7d;
const MAX_VERSION = Number.MAX_SAFE_INTEGER;

/**
 * The lines of a batch's rows and tombstones. A row's bytes are taken as they are, with its version put before the closing brace.
 * @throws RangeError when a line is no JSON object or a version is no whole number below 2^53: that is a fault of the caller
 */
export function eventLines(rows: readonly EventRow[], tombstones: readonly Tombstone[]): Buffer {
  const parts: Buffer[] = [];
  for (const { line, version } of rows) {
    if (line.at(-1) !== CLOSING_BRACE) throw new RangeError('a row must be one JSON object');
    parts.push(line.subarray(0, -1), Buffer.from(`,"ver":${checked(version)},"is_deleted":0}\n`, 'latin1'));
  }
  for (const tombstone of tombstones) parts.push(tombstoneLine(tombstone));
  return Buffer.concat(parts);
}

/** The lines of a batch's changes; empty when it has none. */
export function changeLines(changes: readonly EventChanges[]): Buffer {
  return Buffer.concat(changes.map(changeLine));
}

/**
 * The token of one insert of a batch. Besides the batch's own name it says what is in it, so that a batch which was cut
 * differently after a restart is never taken for the one that is stored already.
 */
export function insertToken(batch: StoreBatch, part: 'events' | 'changes', lines: Buffer): string {
  const versions = part === 'events' ? [...batch.rows, ...batch.tombstones] : batch.changes;
  const first = versions.at(0)?.version;
  return `${batch.token}:${part}:${versions.length}:${first}-${versions.at(-1)?.version}:${lines.length}`;
}

function tombstoneLine({ projectId, eventId, sessionId, startTime, version }: Tombstone): Buffer {
  const key = { project_id: projectId, event_id: eventId, session_id: sessionId, start_time: startTime };
  return jsonLine({ ...key, ver: checked(version), is_deleted: 1 });
}

function changeLine({ projectId, eventId, patch, deleted, movedTo = '', version }: EventChanges): Buffer {
  const said = { patch: JSON.stringify(patch), deleted: deleted ? 1 : 0, moved_to: movedTo };
  return jsonLine({ project_id: projectId, event_id: eventId, ...said, ver: checked(version) });
}

function jsonLine(row: object): Buffer {
  return Buffer.from(`${JSON.stringify(row)}\n`);
}

function checked(version: number): number {
  if (Number.isInteger(version) && version >= 0 && version <= MAX_VERSION) return version;
  throw new RangeError('a version must be a whole number below 2^53');
}
