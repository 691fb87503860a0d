/**
 * A test tool: ClickHouse's HTTP interface in front of ClickHouse's engine as a library, as a separate process. SQL, types, formats and
 * table engines are the real ones; the interface covers the part of the server's that the official client uses.
 *
 *   main.ts --dir <folder of the data> [--port <port, 0: any>] [--module <native module of a Python wheel: an engine of another version>]
 *     [--config <configuration file of a server: users, profiles and clusters>]
 *
 * Prints `listening <port>` when it is ready. Ends on SIGTERM and SIGINT, after the statements in progress.
 */
import { parseArgs } from 'node:util';
import { EngineSessions } from './engine-sessions.js';
import { PythonLibrary } from './python-library.js';
import { startFront } from './front-server.js';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      dir: { type: 'string' },
      port: { type: 'string', default: '0' },
      module: { type: 'string' },
      config: { type: 'string' },
    },
  });
  if (values.dir === undefined) throw new Error('--dir must name the folder of the data');
  const sessions =
    values.module === undefined
      ? await EngineSessions.open(values.dir, values.config)
      : new EngineSessions(values.dir, await PythonLibrary.open(values.module, values.dir, values.config));
  const front = await startFront(sessions, Number(values.port));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void front.close().then(() => process.exit(0)));
  }
  process.stdout.write(`listening ${front.port}\n`);
}

void main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
