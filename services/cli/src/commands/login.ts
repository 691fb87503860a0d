import type { Command } from 'commander';
import { PERMISSIONS } from '@assay/domain/browser';
import type { CommandContext } from './command-context.js';
import { PROJECT, projectOf, type ProjectOption } from './project-option.js';

const as = 'administrator';
const KEY_MS = 7 * 24 * 60 * 60 * 1_000;

interface LoginOptions extends ProjectOption {
  readonly readOnly?: true;
}

/** A link that signs in to the console once, with a key of its own. */
export function addLogin(program: Command, { api, output }: CommandContext): void {
  program
    .command('login')
    .description(
      'prints a link that signs in to the console once, within 10 minutes (needs ASSAY_ADMIN_TOKEN)',
    )
    .option(...PROJECT)
    .option('--read-only', 'the person may read everything and change nothing')
    .action(async (options: LoginOptions) => {
      const client = api();
      const project = await projectOf(client, options);
      const expires_at = new Date(Date.now() + KEY_MS).toISOString();
      const permissions = options.readOnly ? PERMISSIONS.filter((one) => one.endsWith(':read')) : [];
      const { data } = await client.call<{ data: { key_id: string; key_value: string } }>({
        method: 'POST',
        path: `/v1/projects/${encodeURIComponent(project)}/fine_grained_api_keys`,
        body: { name: 'console login', permissions, expires_at },
        as,
      });
      const { code, expires_in_seconds } = await client.call<{ code: string; expires_in_seconds: number }>({
        method: 'POST',
        path: '/console/code',
        as: { key: data.key_value },
      });
      const link = `${client.settings.url}/console/#code=${code}`;
      const result = { link, key_id: data.key_id, key_expires_at: expires_at, expires_in_seconds };
      output.result(result, () => [
        `open once, within ${expires_in_seconds / 60} minutes: ${link}`,
        `its key ${data.key_id} expires at ${expires_at}; \`assay keys delete\` ends it`,
      ]);
    });
}
