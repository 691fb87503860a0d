// Runs a step where the machine has no network but loopback, so that a request to another host cannot succeed.
import { spawnSync } from 'node:child_process';

/** Who is not root needs a user namespace first. */
const UNSHARE = ['--net', ...(process.getuid?.() === 0 ? [] : ['--map-root-user'])];
/** The variable lets tests see what they run in. */
const WITH_LOOPBACK = ['sh', '-c', 'ip link set lo up && export LOOPBACK_ONLY=true && exec "$@"', 'sh'];

/** Returns the step in a network namespace of its own, or, with a line that says so, as it is where the machine allows none. */
export function withoutNetwork([command, args]) {
  const inNamespace = [...UNSHARE, ...WITH_LOOPBACK];
  if (spawnSync('unshare', [...inNamespace, 'true']).status === 0)
    return ['unshare', [...inNamespace, command, ...args]];
  process.stderr.write('The network stays reachable: unshare or ip is missing or refused here\n');
  return [command, args];
}
