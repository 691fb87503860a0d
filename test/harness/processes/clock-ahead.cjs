// Loaded into a process under test (`node --require`): its clock is ahead by the milliseconds in a file, or behind by
// those after a minus. The file is read at the start.
const { existsSync, readFileSync } = require('node:fs');

const file = process.env.CLOCK_AHEAD_FILE;
const ahead = file && existsSync(file) ? Number(readFileSync(file, 'latin1')) : 0;

if (ahead !== 0) {
  const now = Date.now;
  Date.now = () => now() + ahead;
}
