import { join } from 'node:path';
import { repository } from '../stack/repository.js';
import { runNode, type CommandResult } from './run-node.js';

/** Runs the command line with exactly this environment. */
export function runCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  return runNode([join(repository, 'services/cli/bin/assay.cjs'), ...args], process.cwd(), environment);
}
