// Owns a child that never ends, prints its id, and then waits to be killed.
const { spawn } = require('node:child_process');
const { own } = require('../dist/owned-processes.js');

const child = own(spawn('sleep', ['1000'], { stdio: 'ignore' }));
process.stdout.write(`${child.pid}\n`);
setInterval(() => undefined, 1_000);
