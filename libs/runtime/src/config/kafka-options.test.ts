import { kafkaSettings } from './engine-settings.js';
import { kafkaOptions } from './kafka-options.js';
import { loadConfig } from './load-config.js';

describe('the Kafka options', () => {
  it('take the retention of new topics from LOG_RETENTION_HOURS', () => {
    const options = kafkaOptions(loadConfig(kafkaSettings, { LOG_RETENTION_HOURS: '100' }));
    expect(options.retentionMs).toBe(100 * 3_600_000);
  });
});
