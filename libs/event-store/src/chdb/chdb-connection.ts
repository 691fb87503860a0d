import { createClient, type ClickHouseClient } from '@clickhouse/client';
import type { ChdbConnection as RawConnection } from 'chdb/connection';
import { loadChdb } from './load-chdb.js';

/** One connection of the engine in this process, and the official client over it. */
export interface ChdbConnection {
  readonly connection: RawConnection;
  readonly client: ClickHouseClient;
}

type ClientConnection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>;

/**
 * Opens one more connection to the folder.
 * @throws when the folder cannot be opened, or another one is open in this process
 */
export function openChdbConnection(dir: string): ChdbConnection {
  const connection = loadChdb().createChdbConnection({ path: dir });
  return { connection, client: createClient({ connection: withoutSettings(connection) }) };
}

/**
 * The engine would keep the settings of one call for all later ones of the connection, so none get through.
 */
function withoutSettings(connection: RawConnection): ClientConnection {
  return {
    ping: () => connection.ping({ select: true }),
    query: ({ clickhouse_settings: _dropped, ...params }) => connection.query(params),
    exec: ({ clickhouse_settings: _dropped, ...params }) => connection.exec(params),
    command: ({ clickhouse_settings: _dropped, ...params }) => connection.command(params),
    insert: ({ clickhouse_settings: _dropped, ...params }) => connection.insert(params),
    close: () => connection.close(),
  };
}
