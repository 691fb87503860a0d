import type { ApiKeyResponse } from '@assay/contracts';
import type { Command } from 'commander';
import { table } from '../output.js';
import type { CommandContext } from './command-context.js';
import { PROJECT, projectOf, type ProjectOption } from './project-option.js';

const as = 'administrator';

interface CreateOptions extends ProjectOption {
  readonly ingest?: string;
  readonly name?: string;
  readonly description?: string;
  readonly permissions?: string;
  readonly expires?: string;
}

interface CreatedKey {
  readonly data: { readonly key_id: string; readonly key_value: string };
}

export function addKeys(program: Command, { api, output }: CommandContext): void {
  const keys = program.command('keys').description('keys of a project (needs ASSAY_ADMIN_TOKEN)');
  keys
    .command('list')
    .description('lists the keys of a project, without their secrets')
    .option(...PROJECT)
    .action(async (options: ProjectOption) => {
      const client = api();
      const path = keysOf(await projectOf(client, options), 'api_keys');
      const { data } = await client.call<{ data: ApiKeyResponse[] }>({ path, as });
      const rows = data.map((key) => [key.key_id, key.name, key.scope, key.created_at, key.last_used_at]);
      output.result(data, () => table(['ID', 'NAME', 'SCOPE', 'CREATED', 'LAST USED'], rows));
    });
  keys
    .command('create')
    .description('creates a key and prints it once')
    .option(...PROJECT)
    .option('--ingest <name>', 'a key of this name that can only send events')
    .option('--name <name>', 'name of a key that can do more than send events')
    .option('--description <text>', 'description of the key')
    .option('--permissions <list>', 'only these permissions, separated by commas, such as events:read')
    .option('--expires <time>', 'when it expires, ISO 8601')
    .action(async (options: CreateOptions) => {
      const client = api();
      const request = requestOf(await projectOf(client, options), options);
      const { data } = await client.call<CreatedKey>({ method: 'POST', ...request, as });
      output.result(data, () => [`created key ${data.key_id}`, `key, shown once: ${data.key_value}`]);
    });
  keys
    .command('delete <key-id>')
    .description('revokes a key')
    .option(...PROJECT)
    .action(async (id: string, options: ProjectOption) => {
      const client = api();
      const path = `${keysOf(await projectOf(client, options), 'api_keys')}/${encodeURIComponent(id)}`;
      const deleted = await client.call<{ deleted: string }>({ method: 'DELETE', path, as });
      output.result(deleted, () => [`revoked key ${deleted.deleted}`]);
    });
}

/** Absent options are no fields of the body, because JSON has no undefined. */
function requestOf(project: string, { ingest, permissions, expires, name, description }: CreateOptions) {
  if (ingest !== undefined)
    return { path: keysOf(project, 'ingestion_api_keys'), body: { name: ingest, description } };
  const list = permissions?.split(',').map((permission) => permission.trim()) ?? [];
  const body = { name, description, permissions: list, expires_at: expires };
  return { path: keysOf(project, 'fine_grained_api_keys'), body };
}

function keysOf(project: string, kind: string): string {
  return `/v1/projects/${encodeURIComponent(project)}/${kind}`;
}
