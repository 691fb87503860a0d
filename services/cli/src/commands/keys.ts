import type { ApiKeyResponse, ProjectResponse } from '@assay/contracts';
import type { Command } from 'commander';
import type { Api } from '../api.js';
import { CliError } from '../cli-error.js';
import { table } from '../output.js';
import type { CommandContext } from './command-context.js';

const as = 'administrator';

const PROJECT = ['--project <id>', 'id of the project; not needed where there is one project'] as const;

interface ProjectOption {
  readonly project?: string;
}

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

/** Returns the id of the project that the options name, or of the only one. @throws CliError when there are several or none */
async function projectOf(api: Api, { project }: ProjectOption): Promise<string> {
  if (project !== undefined) return project;
  const found = await api.call<ProjectResponse[]>({ path: '/v1/projects', as });
  const [only] = found;
  if (only === undefined) throw new CliError('there is no project, create one with `assay projects create`');
  if (found.length > 1)
    throw new CliError(
      `there are ${found.length} projects, name one with --project: \`assay projects list\` shows their ids`,
    );
  return only.id;
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
