// A service that prints that it listens, whose start ends with the first byte of its input; with the argument `stuck` it never closes.
const { once } = require('node:events');
const { createLogger, runService } = require('../dist/index.js');

const close = () => (process.argv[2] === 'stuck' ? new Promise(() => {}) : Promise.resolve(true));

void runService({}, async (_config, print) => {
  print('listens');
  await once(process.stdin, 'data');
  return { logger: createLogger({ level: 'warn', service: 'slow' }), closeWithinMs: 30_000, close };
});
