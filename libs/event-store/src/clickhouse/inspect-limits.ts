import type { Finding } from '@assay/runtime';
import type { ClickHouseEngine } from './clickhouse-engine.js';
import type { UserSetting } from './known-settings.js';

/** Bytes of the longest statement: a query of 50 filters. Values that are bound are not part of it. */
const MIN_QUERY_SIZE = 256 * 1024;
/** Memory with which the largest insert and the states of the largest events succeed. */
const MIN_MEMORY = 512 * 1024 ** 2;

/**
 * Inspects the limits of the user's profile: a process does not start with one that would stop storing. Too few concurrent statements
 * only make others wait. @throws AppError `UNAVAILABLE`
 */
export async function inspectLimits(
  engine: Pick<ClickHouseEngine, 'query' | 'userSettings'>,
  statements: number,
): Promise<Finding> {
  const name = 'ClickHouse limits';
  const settings = await engine.userSettings();
  const tooLow = [
    ...belowOf('max_memory_usage', mostOf(settings, 'max_memory_usage'), MIN_MEMORY),
    ...belowOf('max_memory_usage_for_user', valueOf(settings, 'max_memory_usage_for_user'), MIN_MEMORY),
    ...belowOf('max_query_size', mostOf(settings, 'max_query_size'), MIN_QUERY_SIZE),
  ];
  if (tooLow.length > 0)
    return { name, ok: false, detail: tooLow.join(', '), advice: 'raise it in the profile of the user' };
  const queries = await readConcurrentQueries(engine, settings);
  const few = queries.flatMap(([setting, value]) => belowOf(setting, value, statements));
  if (few.length === 0) return { name, ok: true, detail: 'allow what this process needs' };
  const advice = 'raise it, or lower QUERY_CONCURRENCY: statements beyond it fail and are tried again';
  return { name, ok: false, mayStart: true, detail: few.join(', '), advice };
}

type UserSettings = ReadonlyMap<string, UserSetting>;

function valueOf(settings: UserSettings, name: string): number {
  return Number(settings.get(name)?.value ?? 0);
}

/** What the user can set a limit to; 0 is no limit. A limit that the user cannot set is that of the profile. */
function mostOf(settings: UserSettings, name: string): number {
  const setting = settings.get(name);
  return setting?.fixed === 1 ? Number(setting.value) : Number(setting?.max ?? 0);
}

/** Limits of concurrent statements by name. Users without a right on settings of the server do not see its limit. */
async function readConcurrentQueries(
  engine: Pick<ClickHouseEngine, 'query'>,
  settings: UserSettings,
): Promise<[string, number][]> {
  const sql = `SELECT toFloat64(value) AS most FROM system.server_settings WHERE name = 'max_concurrent_queries'`;
  const found = await engine.query<{ most: number }>({ sql, bindings: {} }).catch(() => []);
  return [
    ['max_concurrent_queries_for_user', valueOf(settings, 'max_concurrent_queries_for_user')],
    ...found.map(({ most }): [string, number] => ['max_concurrent_queries', most]),
  ];
}

function belowOf(name: string, value: number, least: number): string[] {
  return value > 0 && value < least ? [`${name} is ${value} and must be at least ${least}`] : [];
}

/** Statements that a process with so many connections runs at a time. */
export function concurrentStatements(maxConnections: number, maxQueryConnections: number): number {
  return maxConnections + 2 * maxQueryConnections;
}
