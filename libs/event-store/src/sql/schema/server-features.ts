import { isAtLeast } from '@assay/runtime';
import type { QueryRunner } from '../engine/engine.js';

/** What a server has of that which the tables use. */
export interface ServerFeatures {
  /** Whether text indexes are there by default. */
  readonly hasTextIndex: boolean;
  /** Names of the settings of its tables. */
  readonly tableSettings: ReadonlySet<string>;
}

/** The first version whose text indexes need no setting that allows them. */
const TEXT_INDEX_SINCE = '26.2';

/** Asks the server for its version and the settings of its tables. @throws AppError `UNAVAILABLE` */
export async function readServerFeatures(engine: QueryRunner): Promise<ServerFeatures> {
  const [row] = await engine.query<{ version: string; settings: readonly string[] }>({
    sql: 'SELECT version() AS version, (SELECT groupArray(name) FROM system.merge_tree_settings) AS settings',
    bindings: {},
  });
  return {
    hasTextIndex: isAtLeast(row?.version ?? '0', TEXT_INDEX_SINCE),
    tableSettings: new Set(row?.settings),
  };
}
