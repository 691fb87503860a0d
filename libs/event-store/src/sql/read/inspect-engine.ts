import { inspectClock, inspectVersion, type Finding } from '@assay/runtime';
import type { SqlEngine } from '../engine/engine.js';

/** Oldest version with everything that the statements use. */
const OLDEST_VERSION = '24.8';

/** Inspects the version and the clock of the engine. @throws AppError `UNAVAILABLE` */
export async function inspectEngine(engine: Pick<SqlEngine, 'query'>): Promise<readonly Finding[]> {
  const sql = 'SELECT version() AS version, toString(toUnixTimestamp64Milli(now64(3))) AS time';
  const [row] = await engine.query<{ version: string; time: string }>({ sql, bindings: {} });
  return [
    inspectVersion('ClickHouse', row?.version ?? '0', OLDEST_VERSION),
    inspectClock('ClickHouse', Number(row?.time), Date.now()),
  ];
}
