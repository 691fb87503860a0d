#!/usr/bin/env node
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const program = join(__dirname, '..', 'dist', 'main.js');
if (existsSync(program)) require(program);
else {
  process.stderr.write('the command line is not compiled yet, run `npm run build` first\n');
  process.exitCode = 1;
}
