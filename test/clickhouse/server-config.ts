import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startClickHouse, type ClickHouse } from '../harness/engines/start-clickhouse.js';

/** What the configuration of a server says; the engine of the tests applies it as a server does. */
export interface ServerConfig {
  /** Statements that give the user `default` all rights that it has; all rights when absent. */
  readonly grants?: readonly string[];
  /** XML of the profile of the user, such as `<readonly>2</readonly>`. */
  readonly profile?: string;
  /** XML of clusters by their names, such as `<main><shard>…</shard></main>`. */
  readonly clusters?: string;
  /** Values of macros by their names. */
  readonly macros?: Readonly<Record<string, string>>;
}

/** Starts a server with this configuration; with `dir` on the data that another one has left there. */
export async function startServer(config: ServerConfig, dir?: string): Promise<ClickHouse> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-server-'));
  const [server, users] = ['config.xml', 'users.xml'].map((name) => join(folder, name));
  writeFileSync(users!, usersXml(config));
  const macros = Object.entries(config.macros ?? {}).map(([name, value]) => `<${name}>${value}</${name}>`);
  writeFileSync(
    server!,
    `<clickhouse><tcp_port>9000</tcp_port><users_config>${users}</users_config>` +
      `<user_directories><users_xml><path>${users}</path></users_xml></user_directories>` +
      `<remote_servers>${config.clusters ?? ''}</remote_servers><macros>${macros.join('')}</macros></clickhouse>`,
  );
  const started = await startClickHouse({ config: server, dir });
  const stop = async () => {
    await started.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...started, stop };
}

function usersXml({ grants, profile = '' }: ServerConfig): string {
  const rights = grants?.map((grant) => `<query>${grant.replace(/ TO \w+;?$/, '')}</query>`).join('');
  return (
    `<clickhouse><profiles><default>${profile}</default></profiles><users><default><password></password>` +
    '<networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>' +
    `${rights === undefined ? '' : `<grants>${rights}</grants>`}` +
    '</default></users><quotas><default></default></quotas></clickhouse>'
  );
}
