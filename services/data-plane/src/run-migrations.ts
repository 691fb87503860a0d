import { createClickHouseEventStore } from '@assay/event-store';
import {
  CLICKHOUSE,
  clickhouseOptions,
  clickhouseSettings,
  ConfigError,
  explainRefusal,
  loadConfig,
  refuseFaults,
  StartError,
  type LogFields,
} from '@assay/runtime';

/** Exit code of a process with an invalid configuration: EX_CONFIG. */
const EXIT_CONFIG = 78;

/**
 * Creates and changes the tables of the event store, reports to standard output, and sets the exit code of the process: 0, 78 for
 * an invalid configuration or an unsupported ClickHouse, or 1. Needs the settings of ClickHouse only.
 */
export async function runMigrations(environment: NodeJS.ProcessEnv): Promise<void> {
  try {
    // Settings of the data plane may be set as well.
    const ofClickHouse = Object.entries(environment).filter(([name]) => name.startsWith('CLICKHOUSE_'));
    const config = loadConfig(clickhouseSettings, Object.fromEntries(ofClickHouse));
    const store = createClickHouseEventStore({
      ...clickhouseOptions(config, { warn: () => undefined }),
      use: 'migrate',
    });
    try {
      refuseFaults(await explainRefusal(CLICKHOUSE, () => store.administration.inspect()), {
        warn: printWarning,
      });
      await explainRefusal(CLICKHOUSE, () => store.administration.migrate());
    } finally {
      await store.administration.close();
    }
    process.stdout.write('the tables of the event store are up to date\n');
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`);
    process.exitCode = error instanceof ConfigError || error instanceof StartError ? EXIT_CONFIG : 1;
  }
}

function printWarning(phrase: string, fields?: LogFields): void {
  process.stderr.write(
    `${phrase}: ${Object.values(fields ?? {})
      .map(String)
      .join(', ')}\n`,
  );
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof StartError) return error.message;
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
