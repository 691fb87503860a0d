import type { clickhouseSettings } from '../config/engine-settings.js';
import type { ConfigOf } from '../config/load-config.js';
import type { Logger } from '../log/logger.js';
import { createTlsAgent } from '../tls/tls-agent.js';
import { connectionTls } from '../tls/tls-files.js';

/** Converts the ClickHouse settings to options of the event store. */
export function clickhouseOptions(config: ConfigOf<typeof clickhouseSettings>, logger: Pick<Logger, 'warn'>) {
  const files = {
    ca: config.clickhouseCaFile,
    cert: config.clickhouseCertFile,
    key: config.clickhouseKeyFile,
  };
  const tls = connectionTls(files, logger);
  return {
    url: config.clickhouseUrl,
    username: config.clickhouseUsername,
    password: config.clickhousePassword,
    database: config.clickhouseDatabase,
    cluster: config.clickhouseCluster,
    shards: config.clickhouseShards || undefined,
    ...(tls && { makeAgent: (maxSockets: number) => createTlsAgent(tls, { maxSockets }) }),
  };
}
