import type { Finding } from '@assay/runtime';
import type { ClickHouseEngine } from './clickhouse-engine.js';

/** What a process does with the event store. */
export type StoreUse = 'read' | 'write' | 'migrate';

/** Rights on all tables of the database. A migration fails at the first right that its user lacks, which its error names. */
const RIGHTS: Readonly<Record<StoreUse, readonly string[]>> = {
  read: ['SELECT'],
  write: ['SELECT', 'INSERT', 'ALTER DELETE'],
  migrate: [],
};
/** Tables of which a user can have rights one by one. */
const TABLES = [
  'events',
  'event_payloads',
  'event_ids',
  'event_changes',
  'log_positions',
  'evaluations',
  'deletions',
  'media',
];

export interface InspectedAccess {
  readonly database: string;
  readonly cluster?: string;
  readonly use: StoreUse;
}

/** Inspects what the user may do, so that a process does not start that could never store. @throws AppError `UNAVAILABLE` */
export async function inspectAccess(
  engine: Pick<ClickHouseEngine, 'userSettings' | 'hasRight'>,
  access: InspectedAccess,
): Promise<Finding> {
  const name = 'ClickHouse rights';
  if (access.use !== 'read' && (await isReadOnly(engine)))
    return {
      name,
      ok: false,
      detail: 'the profile of the user has the setting readonly, so that nothing can be stored',
      advice: 'remove it from the profile, or set CLICKHOUSE_USERNAME to another user',
    };
  const missing: string[] = [];
  for (const right of RIGHTS[access.use]) missing.push(...(await missingOf(engine, right, access)));
  if (missing.length === 0) return { name, ok: true, detail: 'has all that this process needs' };
  return {
    name,
    ok: false,
    detail: `the user lacks ${missing.join(', ')}`,
    advice: `as a user who may: ${missing.map((right) => `GRANT ${right} TO …`).join('; ')}`,
  };
}

async function isReadOnly(engine: Pick<ClickHouseEngine, 'userSettings'>): Promise<boolean> {
  return Number((await engine.userSettings()).get('readonly')?.value ?? 0) > 0;
}

/** The right on the database when the user lacks it for every table, and otherwise for those that it lacks it for. */
async function missingOf(
  engine: Pick<ClickHouseEngine, 'hasRight'>,
  right: string,
  { database, cluster }: InspectedAccess,
): Promise<string[]> {
  if (await engine.hasRight(`${right} ON ${database}.*`)) return [];
  const suffix = cluster === undefined ? '' : '_all';
  const tables = TABLES.map((table) => `${right} ON ${database}.${table}${suffix}`);
  const held = await Promise.all(tables.map((one) => engine.hasRight(one)));
  return held.includes(true) ? tables.filter((_, index) => !held[index]) : [`${right} ON ${database}.*`];
}
