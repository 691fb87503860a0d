import { eventRetentionMs, maxRecordBytes, requiredMessageBytes } from './topics.js';

const options = { topicPrefix: 'assay-', partitions: 1, replicationFactor: 1 };

describe('the settings of topics', () => {
  it('have the retention that is configured, also a short one', () => {
    expect(eventRetentionMs(options)).toBe(72 * 3_600_000);
    expect(eventRetentionMs({ ...options, retentionMs: 3_600_000 })).toBe(3_600_000);
  });

  it('leave room in a message for the headers of a dead letter', () => {
    expect(requiredMessageBytes(options)).toBe(16 * 1024 * 1024);
    expect(requiredMessageBytes({ ...options, maxMessageBytes: 1_048_576 })).toBe(1_048_576);
    expect(maxRecordBytes({ ...options, maxMessageBytes: 1_048_576 })).toBe(1_044_480);
  });
});
