export { clickhouseOptions } from './connections/clickhouse-options.js';
export { CLICKHOUSE, explainRefusal, KAFKA, MONGODB, type System } from './connections/explain-refusal.js';
export { kafkaOptions } from './connections/kafka-options.js';
export { configLists } from './config/config-list.js';
export { ConfigError, loadConfig, type ConfigOf, type Declaration } from './config/load-config.js';
export { readOrCreateSecret } from './config/secret-file.js';
export {
  choice,
  flag,
  httpUrl,
  integer,
  list,
  required,
  secret,
  text,
  type Setting,
} from './config/settings.js';
export {
  adminSettings,
  agentSettings,
  bodySettings,
  browserSettings,
  grpcSettings,
  diskSettings,
  priceSettings,
  forwardSettings,
  processSettings,
  projectRemovalSettings,
  alertSettings,
  objectExportSettings,
  purgeSettings,
  proxySettings,
  redactionSettings,
} from './config/common-settings.js';
export { telemetrySettings, TRACE_SAMPLERS } from './config/telemetry-settings.js';
export { consoleSettings } from './config/console-settings.js';
export {
  clickhouseSettings,
  controlPlaneSettings,
  evaluatorTokenSettings,
  ingestionTokenSettings,
  kafkaSettings,
  retentionSettings,
  migrationSettings,
  mongodbSettings,
  freshnessSettings,
  mediaSettings,
  querySettings,
} from './config/engine-settings.js';
export { PemFile } from './config/pem-file.js';
export { usableMemory } from './config/usable-memory.js';
export { createExtendedTlsAgent, createTlsAgent } from './tls/tls-agent.js';
export {
  connectionTls,
  listenerTls,
  TlsFiles,
  type TlsCredentials,
  type TlsFilePaths,
} from './tls/tls-files.js';
export { evaluatorTlsSettings, ingestionTlsSettings, judgeTlsSettings } from './config/tls-settings.js';
export { BackupFolder, syncFolder, type BackupSize } from './disk/backup-folder.js';
export { openDataFolder } from './disk/data-folder.js';
export { recordDataVersion, refuseNewerData } from './disk/data-version.js';
export { inspectClock, inspectVersion, isAtLeast, refuseFaults, type Finding } from './lifecycle/finding.js';
export { endProcess } from './lifecycle/end-process.js';
export { StartError, systemErrorCode } from './lifecycle/start-error.js';
export { ShutdownStack } from './lifecycle/shutdown-stack.js';
export { startWithRetry } from './lifecycle/start-with-retry.js';
export { backoffMs } from './retry/backoff.js';
export { retry, type RetryOptions } from './retry/retry.js';
export { runService, type RunningService, type StartService } from './lifecycle/run-service.js';
export {
  LOG_FORMATS,
  LOG_LEVELS,
  createLogger,
  describeCause,
  type LogFields,
  type LeveledLogger,
  type LogFormat,
  type Logger,
  type LogLevel,
} from './log/logger.js';
export { TemporaryLogLevel, type LogLevelState } from './log/temporary-log-level.js';
export { watchDiskReserve, type DiskReserve, type DiskReserveOptions } from './disk/disk-reserve.js';
export { guardMethods } from './disk/guard-methods.js';
export { createMetrics, type MetricFamily, type Metrics, type MetricValue } from './metrics/metrics.js';
export {
  createYieldToEventLoop,
  mapSteps,
  runCooperatively,
  runSync,
  type YieldToEventLoop,
  type Steps,
} from './work/cooperative-task.js';
export { FairSlots, type FairSlotsOptions } from './work/fair-slots.js';
export { linkSignals, type LinkedSignal } from './work/linked-signal.js';
export { mayBegin, type Shares } from './work/may-begin.js';
