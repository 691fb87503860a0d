// Where the tests of one file make their temporary folders: many files have a folder of their own, which TMPDIR names while the file runs
// and which is removed when it has ended, however its tests have ended. It is in memory where there is room, because the embedded stores
// wait for the disk after every write: a third to a half of the time of many suites. ASSAY_TEST_DIR names another place.
const {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statfsSync,
} = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const MEMORY = '/dev/shm';
const GIB = 1024 ** 3;
/** Less than this, and the files that start from then on use the disk: 64 MB are the default of containers. */
const FREE_IN_FOLDER = 2 * GIB;
const FREE_MEMORY = 4 * GIB;

/** Files that use the folder of the system: their subject is the disk, kills, speed or a sandbox, they unpack much, or memory gains little. */
const ON_DISK = [
  'libs/document-store/src/embedded/disk-full.test.ts',
  'libs/document-store/src/embedded/full-file-system.test.ts',
  'libs/document-store/src/embedded/wal-limit.test.ts',
  'libs/event-log/src/embedded/disk-faults.test.ts',
  'libs/event-log/src/embedded/disk-full.test.ts',
  'libs/event-log/src/embedded/full-tmpfs.test.ts',
  'libs/event-store',
  'libs/python-runner',
  'libs/runtime/src/disk',
  'services/data-plane/src/store-limit',
  'test/chaos',
  'test/console',
  'test/e2e',
  'test/harness/disk',
  'test/kubernetes',
  'test/overload',
].map((name) => path.resolve(__dirname, '../../..', name));
for (const name of ON_DISK)
  if (!existsSync(name)) throw new Error(`temporary-folder.cjs names ${name}, which does not exist`);

/** Folder that the system has for temporary files, whichever file runs. */
const SYSTEM = tmpdir();
/** `assay-PIDS-PID-`: whose it is. Containers can share a folder but not their process ids. */
const ours = `assay-${namespaceOfPids()}-`;
removeThoseOfEndedProcesses();

/**
 * Makes the folder of a test file and lets TMPDIR name it, in this process and in these further variables of the environment.
 * Returns the function that removes it; undefined when the file uses the folder of the system.
 */
exports.open = function open(testPath, env) {
  if (isOnDisk(testPath)) return undefined;
  const before = process.env.TMPDIR;
  const folder = mkdtempSync(path.join(parent(), `${ours}${process.pid}-`));
  // That of /tmp: a program of another user makes folders there too.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = env.TMPDIR = folder;
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch (error) {
      process.stderr.write(`${folder} of ${testPath} cannot be removed: ${error.message}\n`);
    }
  };
};

/** The tests on engines stay on the disk: the engines of three lanes need most of the memory. */
function isOnDisk(testPath) {
  if (testPath.endsWith('.engines.test.ts')) return true;
  return ON_DISK.some((name) => testPath === name || testPath.startsWith(name + path.sep));
}

function parent() {
  return process.env.ASSAY_TEST_DIR ?? (hasRoomInMemory() ? MEMORY : SYSTEM);
}

function hasRoomInMemory() {
  if (!isMemory || process.availableMemory() < FREE_MEMORY) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= FREE_IN_FOLDER;
}

/** Whether the folder is in memory, and may have files that are written and run. */
const isMemory = (() => {
  try {
    accessSync(MEMORY, constants.W_OK);
    const mounts = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '));
    const [, , type, options = ''] = mounts.findLast(([, where]) => where === MEMORY) ?? [];
    return type === 'tmpfs' && !options.split(',').includes('noexec');
  } catch {
    return false;
  }
})();

function namespaceOfPids() {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
  } catch {
    return '0';
  }
}

/** A run that was killed could not remove its folders. */
function removeThoseOfEndedProcesses() {
  for (const parent of new Set([MEMORY, SYSTEM, process.env.ASSAY_TEST_DIR ?? SYSTEM])) {
    for (const name of existsSync(parent) ? readdirSync(parent) : []) {
      if (!name.startsWith(ours) || isRunning(Number.parseInt(name.slice(ours.length), 10))) continue;
      try {
        rmSync(path.join(parent, name), { recursive: true, force: true });
      } catch {
        // It belongs to another user, or another worker removes it.
      }
    }
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}
