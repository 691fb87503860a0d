import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { own } from '@assay/testing';

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of Node in a folder, with exactly this environment. */
export async function runNode(
  args: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const child = own(
    spawn(process.execPath, args, { cwd, env: { ...environment }, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}
