import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { own } from '@assay/testing';
import { repository } from '../stack/repository.js';

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line with exactly this environment. */
export async function runCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const child = own(
    spawn(process.execPath, [join(repository, 'services/cli/bin/assay.cjs'), ...args], {
      env: { ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}
