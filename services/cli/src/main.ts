import { runProgram } from './program.js';

void runProgram({
  args: process.argv.slice(2),
  environment: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
}).then((code) => (process.exitCode = code));
