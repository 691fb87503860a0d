export type * from './event-log.js';
export {
  openEmbeddedEventLog,
  type EmbeddedEventLog,
  type EmbeddedEventLogOptions,
} from './embedded/embedded-event-log.js';
export type { FileSystem, OpenFile, OpenMode } from './embedded/files/file-system.js';
export type { LogBackup } from './embedded/log-backup.js';
export type { Retention } from './embedded/retention.js';
export type { RetentionHolder } from './embedded/sweeper.js';
export type { KafkaConnectionOptions } from './kafka/clients.js';
export type { TopicOptions } from './kafka/topics.js';
export {
  startConsumerLoop,
  type ConsumerLoop,
  type ConsumerLoopOptions,
  type RejectRecord,
} from './consumer-loop.js';
export { unguarded, type GuardedWork, type HandlingNotes } from './guarded-work.js';
export type { Timing } from './timing.js';
export type { DeadLetterAmount, DeadLetterLimits } from './dead-letter-shares.js';
export { replayDeadLetters, replayOrigin, type ReplayOrigin } from './replay-dead-letters.js';
export {
  deadLetterId,
  eachDeadLetter,
  removeDeadLetters,
  type DeadLetterSelection,
} from './take-dead-letters.js';
