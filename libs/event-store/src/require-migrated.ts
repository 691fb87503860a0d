import { StartError } from '@assay/runtime';
import type { AdministrationPort } from './event-store.js';

/** Exit code of a process whose settings do not fit the stored data: EX_CONFIG. */
const EXIT_CONFIG = 78;

/** @throws StartError (exit code 78) when migrations are missing, AppError `UNAVAILABLE` */
export async function requireMigrated(administration: AdministrationPort): Promise<void> {
  const missing = await administration.missingMigrations();
  if (missing.length === 0) return;
  throw new StartError(
    `the tables of the event store lack the migrations ${missing.join(', ')}: check CLICKHOUSE_DATABASE, then run the data plane with ` +
      'the argument migrate and a user that may change tables, or set CLICKHOUSE_MIGRATE=true on it',
    { exitCode: EXIT_CONFIG },
  );
}
