// Program of a worker thread that fails in the way that a template names: `exit`, `spin` or `sleep`, and behind it a file that is made when
// it does so. While the file exists, and for every other template, the result is the template.
const { existsSync, writeFileSync } = require('node:fs');
const { parentPort, workerData } = require('node:worker_threads');

const failures = {
  exit: () => process.exit(3),
  spin: () => {
    for (;;);
  },
  sleep: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
};

parentPort.on('message', ({ jobs }) => {
  const outcomes = jobs.map(({ source }, index) => {
    Atomics.store(workerData.begun, 0, index + 1);
    const [failure, file] = source.split(' ');
    if (failure in failures && !existsSync(file)) {
      if (file !== 'always') writeFileSync(file, '');
      failures[failure]();
    }
    return { text: source };
  });
  parentPort.postMessage({ outcomes });
});
// Id of the thread in the operating system, as the program of the package sends it.
let osThreadId;
try {
  osThreadId = Number(require('node:fs').readlinkSync('/proc/thread-self').split('/').at(-1));
} catch {}
parentPort.postMessage({ osThreadId });
