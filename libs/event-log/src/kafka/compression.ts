import type { KafkaConnectionOptions } from './clients.js';
import { protocolTypeOf } from './kafka-failure.js';

/** Whether records are compressed: not any more from the first time on that the brokers refuse it. */
export class Compression {
  private isOn: boolean;

  constructor(private readonly options: Pick<KafkaConnectionOptions, 'compression' | 'logger'>) {
    this.isOn = options.compression !== 'none';
  }

  /** Sends, and sends again without compression what was refused because of it: the brokers have stored nothing of that. */
  async send(attempt: (isCompressed: boolean) => Promise<void>): Promise<void> {
    if (!this.isOn) return attempt(false);
    try {
      await attempt(true);
    } catch (error) {
      if (protocolTypeOf(error) !== 'UNSUPPORTED_COMPRESSION_TYPE') throw error;
      this.isOn = false;
      this.options.logger.warn('the brokers refuse compressed records, sending them uncompressed');
      await attempt(false);
    }
  }
}
