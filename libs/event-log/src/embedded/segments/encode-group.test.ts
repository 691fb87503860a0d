import type { LogRecord } from '../../event-log.js';
import { BATCH_BYTES } from './batch.js';
import { encodeGroupSteps } from './encode-group.js';

const GROUP = { salt: Buffer.alloc(8), firstOffset: 0, appendedAt: 17, syncedLength: 0 };

describe('the batches of one append', () => {
  it('are encoded in steps, in each of which few records are read', () => {
    let read = 0;
    const record: LogRecord = {
      headers: { project: 'p', kind: 'event' },
      key: 'k',
      get value() {
        read += 1;
        return VALUE;
      },
    };
    const steps = encodeGroupSteps(Array<LogRecord>(200_000).fill(record), GROUP);
    let [most, before] = [0, 0];
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) {
      most = Math.max(most, read - before);
      before = read;
    }
    const counts = step.value.map(({ count }) => count);
    expect(counts.reduce((sum, count) => sum + count)).toBe(200_000);
    // Each record is read a few times, by the one that cuts and by the one that writes.
    expect(most).toBeLessThan((4 * BATCH_BYTES) / VALUE.length);
  });
});

const VALUE = Buffer.alloc(300);
