import { createClickHouseEventStore } from '@assay/event-store';
import { clickhouseSettings, ConfigError, loadConfig } from '@assay/runtime';

/** Exit code of a process with an invalid configuration: EX_CONFIG. */
const EXIT_CONFIG = 78;

/**
 * Creates and changes the tables of the event store, reports to standard output, and sets the exit code of the process: 0, 78 for
 * an invalid configuration, or 1. Needs the settings of ClickHouse only.
 */
export async function runMigrations(environment: NodeJS.ProcessEnv): Promise<void> {
  try {
    // Settings of the data plane may be set as well.
    const ofClickHouse = Object.entries(environment).filter(([name]) => name.startsWith('CLICKHOUSE_'));
    const config = loadConfig(clickhouseSettings, Object.fromEntries(ofClickHouse));
    const store = createClickHouseEventStore({
      url: config.clickhouseUrl,
      username: config.clickhouseUsername,
      password: config.clickhousePassword,
      database: config.clickhouseDatabase,
      cluster: config.clickhouseCluster,
    });
    try {
      await store.migrate();
    } finally {
      await store.close();
    }
    process.stdout.write('the tables of the event store are up to date\n');
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`);
    process.exitCode = error instanceof ConfigError ? EXIT_CONFIG : 1;
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
