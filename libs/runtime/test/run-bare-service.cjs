// Runs a service that reports the state of its process and ends.
const { readdirSync } = require('node:fs');
const { stat } = require('node:fs/promises');
const { createLogger, runService } = require('../dist/index.js');

const threads = () => readdirSync('/proc/self/task').length;

void runService({}, async (_config, print) => {
  const before = threads();
  await stat('.');
  print(JSON.stringify({ proto: '__proto__' in {}, threads: threads() - before }));
  setImmediate(() => process.kill(process.pid, 'SIGTERM'));
  const logger = createLogger({ level: 'warn', service: 'bare' });
  return { logger, closeWithinMs: 5_000, close: () => Promise.resolve(true) };
});
