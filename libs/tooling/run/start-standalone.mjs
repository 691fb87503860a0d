// Starts the compiled standalone process with the flags of the container image.
import { spawn } from 'node:child_process';
import { root } from './install.mjs';

// A young generation of 64 MB holds what a burst of requests allocates until it is garbage; Node's default of 16 MB copies most of it first.
// Without `__proto__` no key of a client can reach a prototype.
const nodeFlags = ['--max-semi-space-size=64', '--disable-proto=delete'];

/** Returns the child process, which writes to this process's output. */
export function startStandalone() {
  // The embedded engine, zlib and the file system share libuv's thread pool; its size is read before Node starts.
  const env = { UV_THREADPOOL_SIZE: '14', ...process.env };
  const program = `${root}/deploy/standalone/dist/main.js`;
  return spawn(process.execPath, [...nodeFlags, program], { cwd: root, stdio: 'inherit', env });
}
