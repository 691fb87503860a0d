export type * from './event-log.js';
export { openEmbeddedEventLog, type EmbeddedEventLogOptions } from './embedded/embedded-event-log.js';
export type { Retention } from './embedded/retention.js';
export type { KafkaConnectionOptions } from './kafka/clients.js';
export { openKafkaEventLog, type KafkaEventLogOptions } from './kafka/kafka-event-log.js';
export type { TopicOptions } from './kafka/topics.js';
export {
  startConsumerLoop,
  type ConsumerLoop,
  type ConsumerLoopOptions,
  type RejectRecord,
  type Timing,
} from './consumer-loop.js';
export { replayDeadLetters, replayOrigin, type ReplayOrigin } from './replay-dead-letters.js';
