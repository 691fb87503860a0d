// `npm start`: installs and builds what changed, then becomes the standalone process.
import { spawn } from 'node:child_process';
import { installIfNeeded, root } from './install.mjs';
import { buildIfNeeded } from './build.mjs';

installIfNeeded();
buildIfNeeded();
// A young generation of 64 MB holds what a burst of requests allocates until it is garbage: with Node's 16 MB most of it is copied first.
// Without `__proto__` no key of a client can reach a prototype.
const nodeFlags = ['--max-semi-space-size=64', '--disable-proto=delete'];
// The embedded engine, zlib and the file system share libuv's thread pool; its size is read before Node starts.
const env = { UV_THREADPOOL_SIZE: '8', ...process.env };
const child = spawn(process.execPath, [...nodeFlags, `${root}/deploy/standalone/dist/main.js`], {
  cwd: root,
  stdio: 'inherit',
  env,
});
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
