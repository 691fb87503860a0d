import { resolve } from 'node:path';
import type { Command } from 'commander';
import { STREAM_TIMEOUT_MS } from '../api.js';
import type { CommandContext } from './command-context.js';

interface Backup {
  readonly files: number;
  readonly bytes: number;
}

export function addBackup(program: Command, { api, output }: CommandContext): void {
  program
    .command('backup <dir>')
    .description(
      'has the running single process write a backup into a new folder of its machine (needs ASSAY_ADMIN_TOKEN)',
    )
    .action(async (dir: string) => {
      const directory = resolve(dir);
      output.progress('writing the backup');
      const { files, bytes } = await api().call<Backup>({
        method: 'POST',
        path: '/v1/backups',
        body: { directory },
        as: 'administrator',
        timeoutMs: STREAM_TIMEOUT_MS,
      });
      output.result({ directory, files, bytes }, () => [`${directory}: ${files} files, ${bytes} bytes`]);
    });
}
