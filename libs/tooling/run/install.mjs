// Installs what pnpm-lock.yaml names, with the pnpm that `packageManager` of package.json names, so that a machine needs neither
// pnpm nor corepack.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { withLock } from './folder-lock.mjs';
import { hasPinnedPnpm, pinnedPnpm } from './pinned-pnpm.mjs';
import { Refusal } from './platform.mjs';
import { runChild } from './run-child.mjs';
import { step } from './steps.mjs';

export const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
const stamp = `${root}/node_modules/.assay-installed`;

/** What running the product and building its console need: no compiler, linter or test. */
const RUNNING = [
  '--prod',
  '--filter-prod',
  '.',
  '--filter-prod',
  '@assay/standalone...',
  '--filter-prod',
  '@assay/cli...',
  '--filter-prod',
  '@assay/console...',
];

/** Whether the packages of development are installed, of this lock file or an earlier one. */
export function hasDevelopment() {
  return existsSync(stamp) && !readFileSync(stamp, 'utf8').endsWith(' running');
}

/**
 * Installs all packages, or with `running` those that running the product needs; a clone that has more than these keeps it. Does nothing when
 * the last install was made from the same lock file.
 */
export async function installIfNeeded({ running = false } = {}) {
  if (isInstalled(running)) return;
  await inTurn(async (onStart) => {
    if (isInstalled(running)) return;
    const part = running && !hasDevelopment();
    const program = await pnpm(onStart);
    const options = [
      '--frozen-lockfile',
      '--prefer-offline',
      '--reporter=append-only',
      '--config.confirm-modules-purge=false',
    ];
    const scope = part ? 'running' : 'all';
    // An install that does not end leaves packages of two states.
    writeFileSync(stamp, `unfinished ${scope}`);
    const command = [process.execPath, program, 'install', ...options, ...(part ? RUNNING : [])];
    await step(part ? 'Installing packages' : 'Installing packages, with those of development', async () => {
      const { status, output } = await runChild(command, { cwd: root, onStart });
      if (status !== 0) throw new Refusal(`the packages could not be installed:\n${endOf(output)}`);
    });
    writeFileSync(stamp, `${wantedInstall()} ${scope}`);
  });
}

/** Runs `work` while no other task installs or compiles in this clone. */
export function inTurn(work) {
  const onWait = (pid) =>
    process.stderr.write(`Waiting for process ${pid}, which installs or compiles here\n`);
  return withLock(`${root}/node_modules`, work, onWait);
}

function isInstalled(running) {
  if (!existsSync(stamp)) return false;
  const [wanted, scope] = readFileSync(stamp, 'utf8').split(' ');
  return wanted === wantedInstall() && (running || scope === 'all');
}

function wantedInstall() {
  return createHash('sha256')
    .update(readFileSync(`${root}/pnpm-lock.yaml`))
    .update(process.version)
    .digest('hex');
}

/** Returns the path of pnpm's program for Node. @throws Refusal when it cannot be installed */
export async function pnpm(onStart) {
  const { packageManager } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
  const install = () => pinnedPnpm(packageManager, { onStart });
  try {
    return await (hasPinnedPnpm(packageManager) ? install() : step('Installing pnpm', install));
  } catch (error) {
    throw new Refusal(error.message);
  }
}

/** What pnpm writes besides the reason: progress, the scope, and stacks. */
const NO_REASON = /^(?:\s*$|Progress:|Scope:|Lockfile is|\. +\||\s+at |Packages: |[+-]+$)/;

function endOf(output) {
  return output
    .split('\n')
    .filter((line) => !NO_REASON.test(line))
    .slice(-20)
    .join('\n');
}
