import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Requirement } from '@assay/testing';

/** A command that starts Python under certain rights, or the reason why this machine cannot. */
export interface Environment extends Requirement {
  readonly name: string;
  readonly command: readonly string[];
}

const WITHOUT_RIGHTS = [
  ...['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'],
  ...['--no-new-privs', '--inh-caps=-all', '--bounding-set=-all'],
];
const READ_ONLY_ROOT = ['unshare', '--mount', 'sh', '-c', 'mount -o remount,bind,ro / && exec "$@"', 'sh'];

/** Changes of system calls that `change_calls.py` knows. */
export type CallChange =
  | 'no landlock'
  | 'no seccomp'
  | 'pretended landlock'
  | 'pretended seccomp'
  | 'pretended limits';

/** Returns arguments with which Python starts another Python on changed system calls. */
export function changeCalls(change: CallChange): string[] {
  return ['-B', join(__dirname, 'change_calls.py'), change];
}

/** The first one may be in a folder of root's. */
const PYTHONS = ['python3', '/usr/bin/python3'];

const isRoot = process.getuid?.() === 0;
const noNetwork = isRoot ? ['unshare', '--net'] : ['unshare', '--map-root-user', '--net'];

interface Candidate {
  readonly name: string;
  readonly prefix: readonly string[];
  /** Arguments with which Python starts another Python. */
  readonly first?: readonly string[];
  readonly needsRoot: boolean;
}

/** None of them has a network, so that no attack can reach one. */
const CANDIDATES: readonly Candidate[] = [
  { name: 'root', prefix: noNetwork, needsRoot: true },
  {
    name: 'an unprivileged user with a read-only root file system',
    prefix: isRoot ? [...noNetwork, ...READ_ONLY_ROOT, ...WITHOUT_RIGHTS] : noNetwork,
    needsRoot: false,
  },
  {
    name: 'an unprivileged user on a kernel without Landlock',
    prefix: isRoot ? [...noNetwork, ...WITHOUT_RIGHTS] : noNetwork,
    first: changeCalls('no landlock'),
    needsRoot: false,
  },
];

/** What tests need that start `python3` as the user of the tests. */
export const PYTHON: Requirement = { missing: whyNot(['python3']) };

/** Users other than root may lack its rights, and cannot get them. In a container, root may lack some of them too. */
export const ENVIRONMENTS: readonly Environment[] = CANDIDATES.map(({ name, prefix, first, needsRoot }) => {
  const commands = PYTHONS.map((python) => [...prefix, ...(first ? [python, ...first] : []), python]);
  const found = commands.find((command) => whyNot(command) === undefined);
  const command = found ?? commands[0]!;
  if (needsRoot && !isRoot) return { name, command, missing: 'the tests do not run as root', mustRun: false };
  return { name, command, ...(found === undefined && { missing: whyNot(command) }) };
});

/** A file system of processes that hides those of others, so that it does not tell how long they wait for a core. */
const HIDING_PROC = [
  ...['unshare', '--mount', 'sh', '-c'],
  ...['mount -t proc -o hidepid=invisible proc /proc && exec "$@"', 'sh', 'python3'],
];

/** Only root can mount it. */
export const HIDDEN_PROC: Environment = {
  name: 'on a machine that hides how long processes wait',
  command: HIDING_PROC,
  ...(isRoot
    ? whyNot(HIDING_PROC) !== undefined && { missing: whyNot(HIDING_PROC) }
    : { missing: 'the tests do not run as root', mustRun: false }),
};

function whyNot([program = '', ...first]: readonly string[]): string | undefined {
  const supported = 'import sys; sys.exit(sys.version_info < (3, 9) or sys.platform != "linux")';
  const { status, error, stderr } = spawnSync(program, [...first, '-c', supported], { encoding: 'utf8' });
  if (status === 0) return undefined;
  return error?.message ?? (stderr.trim() || 'Python 3.9 or later on Linux is missing');
}
