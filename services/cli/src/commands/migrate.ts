import type { Command } from 'commander';
import type { CommandContext } from './command-context.js';

export function addMigrate(program: Command, { api, output }: CommandContext): void {
  program
    .command('migrate')
    .description(
      'creates and changes the tables of the event store, through the running data plane (needs ASSAY_ADMIN_TOKEN)',
    )
    .option('--dry-run', 'only lists what is missing')
    .action(async ({ dryRun = false }: { dryRun?: boolean }) => {
      output.progress(dryRun ? 'looking for missing migrations' : 'migrating the tables of the event store');
      const migrated = await api().call<{ missing: number[]; applied: number[] }>({
        method: 'POST',
        path: '/v1/migrations',
        body: { dry_run: dryRun },
        as: 'administrator',
      });
      output.result(migrated, () => [linesOf(migrated, dryRun)]);
    });
}

function linesOf({ missing, applied }: { missing: number[]; applied: number[] }, dryRun: boolean): string {
  if (dryRun && missing.length > 0) return `missing migrations: ${missing.join(', ')}`;
  if (applied.length > 0) return `applied migrations: ${applied.join(', ')}`;
  return 'the tables of the event store are up to date';
}
