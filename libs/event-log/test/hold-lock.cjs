// A test's child process: takes the lock of the directory in its argument, says so or why not, and holds it
// until its end.
const { lockDirectory } = require('../dist/embedded/lock/directory-lock.js');

try {
  lockDirectory(process.argv[2], JSON.parse(process.argv[3] ?? '{}'));
  process.stdout.write('locked\n');
  setInterval(() => {}, 1_000_000);
} catch (error) {
  process.stdout.write(`${error.code}\n`);
}
