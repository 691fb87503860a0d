import { inspectClock, inspectVersion, type Finding } from '@assay/runtime';
import type { SqlEngine } from './engine.js';

/** The oldest and the newest version that the tests run. A newer one may start, an older one may not. */
export const TESTED_VERSIONS = { oldest: '25.8', newest: '26.9' } as const;

/** Inspects the version and the clock of the engine. @throws AppError `UNAVAILABLE` */
export async function inspectEngine(engine: Pick<SqlEngine, 'query'>): Promise<readonly Finding[]> {
  const sql = 'SELECT version() AS version, toString(toUnixTimestamp64Milli(now64(3))) AS time';
  const [row] = await engine.query<{ version: string; time: string }>({ sql, bindings: {} });
  return [
    inspectVersion('ClickHouse', row?.version ?? '0', TESTED_VERSIONS),
    inspectClock('ClickHouse', Number(row?.time), Date.now()),
  ];
}
