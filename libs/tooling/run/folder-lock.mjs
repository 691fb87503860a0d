// One task at a time installs or compiles in a folder. An owner is a symbolic link that names a process, and is there whole or not at all; that
// of a process that has ended counts for nothing, so a task that was killed blocks no other.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from './platform.mjs';

const OWNER = /^\.assay-owner-[0-9a-f]{16}$/;
const ASK_AGAIN_MS = 200;
/** Longer than a download by a slow connection takes. */
const MAX_WAIT_MS = 3_600_000;

/**
 * Runs `work` while no other process does in the same folder. `work` may name a child process that has to end as well, even if this process
 * is killed.
 * @param onWait called once with the id of the process that is waited for
 * @throws Refusal after an hour
 */
export async function withLock(folder, work, onWait) {
  mkdirSync(folder, { recursive: true });
  const release = await acquire(folder, onWait);
  const children = [];
  try {
    return await work((pid) => children.push(addOwner(folder, pid)));
  } finally {
    for (const file of [...children, release]) rmSync(file, { force: true });
  }
}

async function acquire(folder, onWait) {
  let announced = false;
  const deadline = Date.now() + MAX_WAIT_MS;
  for (;;) {
    const own = addOwner(folder, process.pid);
    const other = otherOwner(folder, own);
    if (other === undefined) return own;
    rmSync(own, { force: true });
    if (Date.now() > deadline)
      throw new Refusal(
        `process ${other} has installed or compiled here for an hour: end it, and start again`,
      );
    if (!announced) onWait?.(other);
    announced = true;
    // Two that came together withdraw both: the one that comes back first continues.
    await pause(ASK_AGAIN_MS * (0.5 + Math.random()));
  }
}

function addOwner(folder, pid) {
  const file = join(folder, `.assay-owner-${randomBytes(8).toString('hex')}`);
  symlinkSync(`${pid} ${startOf(pid)}`, file);
  return file;
}

/** Returns the id of a living owner. Removes the files of those that have ended. */
function otherOwner(folder, own) {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (!OWNER.test(name) || file === own) continue;
    const [pid, start] = read(file).split(' ');
    if (isAlive(Number(pid)) && startOf(pid) === start) return pid;
    rmSync(file, { force: true });
  }
  return undefined;
}

function read(file) {
  try {
    return readlinkSync(file);
  } catch {
    // Removed since.
    return '0 0';
  }
}

function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** When a process started, where the system tells: its id may be that of another process later. One that has ended has no start. */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? '-' : fields[18];
  } catch {
    return '-';
  }
}
