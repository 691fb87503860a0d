// Starts the compiled standalone process with the flags of the container image.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { root } from './install.mjs';

// A young generation of 64 MB holds what a burst of requests allocates until it is garbage; Node's default of 16 MB copies most of it first.
// Without `__proto__` no key of a client can reach a prototype.
const nodeFlags = ['--max-semi-space-size=64', '--disable-proto=delete'];

/** A terminal, npm and this process may each pass one signal on, late on a busy machine; a later one is another, which ends the product immediately. */
const ONE_SIGNAL_MS = 3_000;

/**
 * Returns the child process, which writes to this process's output. It is in a group of its own, so that a signal of the terminal reaches it once:
 * pass signals on.
 */
export function startStandalone() {
  // The embedded engine, zlib and the file system share libuv's thread pool; its size is read before Node starts.
  const env = { UV_THREADPOOL_SIZE: '14', ...consoleSetting(), ...process.env };
  const program = `${root}/deploy/standalone/dist/main.js`;
  return spawn(process.execPath, [...nodeFlags, program], {
    cwd: root,
    stdio: 'inherit',
    env,
    detached: true,
  });
}

/** A clone whose console could not be built has no folder of it. */
function consoleSetting() {
  const folder = `${root}/services/console/dist`;
  return existsSync(`${folder}/index.html`) ? { CONSOLE_DIR: folder } : {};
}

/** Passes the signals of this process on to the product, and ends with its exit code. */
export function endWith(child) {
  let passedAt = -Infinity;
  const pass = (signal) => {
    if (performance.now() - passedAt < ONE_SIGNAL_MS) return;
    passedAt = performance.now();
    child.kill(signal);
  };
  process.on('SIGTERM', () => pass('SIGTERM'));
  process.on('SIGINT', () => pass('SIGINT'));
  // The terminal was closed.
  process.on('SIGHUP', () => pass('SIGTERM'));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}
