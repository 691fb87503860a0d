export type * from './event-store.js';
export { MAX_BOUNDED_COUNT, MAX_VALUE_CHARS } from './event-store.js';
export { SUMMARY_LIMITS } from './event-store.js';
export { unreadEvent } from './unread-event.js';
export { requireMigrated } from './require-migrated.js';
export {
  createClickHouseEventStore,
  type ClickHouseEventStoreOptions,
} from './clickhouse/create-clickhouse-event-store.js';
export { TESTED_VERSIONS } from './sql/engine/inspect-engine.js';
export type { StoreUse } from './clickhouse/inspect-access.js';
export { DEFAULT_QUERY_LIMITS, type QueryLimits } from './sql/engine/engine.js';
export type { QueryShares } from './sql/query-queue.js';
