import type { ProjectResponse } from '@assay/contracts';
import type { Command } from 'commander';
import { table } from '../output.js';
import type { CommandContext } from './command-context.js';

const PATH = '/v1/projects';
const as = 'administrator';

export function addProjects(program: Command, { api, output }: CommandContext): void {
  const projects = program.command('projects').description('projects (needs ASSAY_ADMIN_TOKEN)');
  projects
    .command('list')
    .description('lists all projects')
    .action(async () => {
      const found = await api().call<ProjectResponse[]>({ path: PATH, as });
      const rows = found.map(({ id, name, created_at: created }) => [id, name, created]);
      output.result(found, () => table(['ID', 'NAME', 'CREATED'], rows));
    });
  projects
    .command('create <name>')
    .description('creates a project and prints its first key once')
    .option('--description <text>', 'description of the project')
    .action(async (name: string, { description }: { description?: string }) => {
      const body = { name, ...(description !== undefined && { description }) };
      const created = await api().call<ProjectResponse & { api_key: string }>({
        method: 'POST',
        path: PATH,
        body,
        as,
      });
      output.result(created, () => [
        `created project ${created.id}`,
        `first key, shown once: ${created.api_key}`,
      ]);
    });
  projects
    .command('rename <name> <new-name>')
    .description('renames a project')
    .action(async (name: string, newName: string) => {
      const body = { name, new_name: newName };
      const changed = await api().call<ProjectResponse>({ method: 'PUT', path: PATH, body, as });
      output.result(changed, () => [`renamed project ${changed.id}`]);
    });
  projects
    .command('delete <name>')
    .description('deletes a project with all its events and resources')
    .requiredOption('--yes', 'confirms that everything of the project is deleted')
    .action(async (name: string) => {
      const deleted = await api().call<{ deleted: string }>({
        method: 'DELETE',
        path: PATH,
        query: { name },
        as,
      });
      output.result(deleted, () => [`deleted project ${deleted.deleted}`]);
    });
}
