// Loaded into a process under test (`node --require`): writes a line with the CPU milliseconds of the main thread for each turn of
// the event loop that takes more than a few. Waiting for a core is no part of it, so that it does not depend on the machine's load.
const { appendFileSync, readFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

const MIN_MS = 20;
const file = process.env.TURNS_FILE;

/** The first field: nanoseconds on a CPU. */
function cpuMs() {
  const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ');
  return Number(nanoseconds) / 1e6;
}

if (isMainThread && file) {
  let before = cpuMs();
  // A timer that is due runs once in each turn.
  setInterval(() => {
    const now = cpuMs();
    if (now - before > MIN_MS) appendFileSync(file, `${Math.round(now - before)}\n`);
    before = cpuMs();
  }, 1).unref();
}
