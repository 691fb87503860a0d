// Lets tests make their temporary files in memory where this machine has enough of it: the embedded stores flush each write, and an insert into
// the event store makes 40 files. No test of `npm test` asks whether files survive the machine. TMPDIR names another folder.
const { spawn } = require('node:child_process');
const { accessSync, chmodSync, constants, mkdtempSync, readFileSync, statfsSync } = require('node:fs');
const path = require('node:path');

const MEMORY = '/dev/shm';
const GIB = 1024 ** 3;
/** Several times what tests use at a time. Containers often have 64 MB there. */
const FREE_IN_FOLDER = 10 * GIB;
const FREE_MEMORY = 16 * GIB;
/** Removes the folder when its input closes, which the kernel does when the process that holds it ends, however it ends. */
const REMOVER = `trap '' INT TERM HUP; read -r _; rm -rf "$0" || { sleep 1; rm -rf "$0"; }`;

/** Workers start later, with the environment of this process. */
module.exports = function useMemory() {
  if (process.env.TMPDIR || !hasRoom()) return;
  const folder = mkdtempSync(path.join(MEMORY, 'assay-tests-'));
  // As /tmp: programs of other users make folders there too.
  chmodSync(folder, 0o1777);
  const remover = spawn('sh', ['-c', REMOVER, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  remover.unref();
  remover.stdin.unref();
  process.env.TMPDIR = folder;
};

/** Whether the folder is in memory, has room, and may have files that are written and run. */
function hasRoom() {
  try {
    accessSync(MEMORY, constants.W_OK);
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const [, , type, options] = mounts.map((line) => line.split(' ')).findLast(([, at]) => at === MEMORY);
    const { bavail, bsize } = statfsSync(MEMORY);
    const mayRun = type === 'tmpfs' && !options.split(',').includes('noexec');
    return mayRun && bavail * bsize >= FREE_IN_FOLDER && process.availableMemory() >= FREE_MEMORY;
  } catch {
    return false;
  }
}
