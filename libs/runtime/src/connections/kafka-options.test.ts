import { kafkaSettings } from '../config/engine-settings.js';
import { loadConfig } from '../config/load-config.js';
import { kafkaOptions } from './kafka-options.js';

describe('the Kafka options', () => {
  it('take the retention of new topics from LOG_RETENTION_HOURS', () => {
    const options = kafkaOptions(loadConfig(kafkaSettings, { LOG_RETENTION_HOURS: '100' }), { warn: fail });
    expect(options.retentionMs).toBe(100 * 3_600_000);
  });
});

function fail(phrase: string): never {
  throw new Error(phrase);
}
