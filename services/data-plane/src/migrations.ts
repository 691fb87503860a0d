import { createClickHouseEventStore, type EventStore } from '@assay/event-store';
import { clickhouseSettings, ConfigError, loadConfig, StartError } from '@assay/runtime';

/** Exit code of a process whose settings do not fit the stored data: EX_CONFIG. */
const EXIT_CONFIG = 78;

/** @throws StartError (exit code 78) when migrations are missing, AppError `UNAVAILABLE` */
export async function requireMigrated(store: Pick<EventStore, 'missingMigrations'>): Promise<void> {
  const missing = await store.missingMigrations();
  if (missing.length === 0) return;
  throw new StartError(
    `the tables of the event store lack the migrations ${missing.join(', ')}: run this program with the argument migrate and a user ` +
      'that may change tables, or set CLICKHOUSE_MIGRATE=true',
    { exitCode: EXIT_CONFIG },
  );
}

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
