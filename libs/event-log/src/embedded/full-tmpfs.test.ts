import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = join(__dirname, '../../test/append-on-demand.cjs');
const canMount = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', tmpdir()]).status === 0;

interface Response {
  readonly appended: number;
  readonly end: number;
  readonly code?: string;
}

/** A real file system of 2 MB, which only the child processes of one shell see. */
describe('the embedded log on a file system that is full', () => {
  let dir: string;
  let shell: ChildProcess;
  let lines: AsyncIterator<string>;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'assay-tmpfs-'));
    // Lines for the log go through; `fill`, `free` and `restart` are for the shell.
    const script = `mount -t tmpfs -o size=2m none ${dir} && exec ${process.execPath} -e '${SUPERVISOR}' ${PROGRAM} ${dir}`;
    shell = spawn(
      'unshare',
      ['--mount', '--kill-child', '--fork', '--pid', '--mount-proc', 'sh', '-c', script],
      {
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    if (shell.stdout === null) throw new Error('the child has no output');
    lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]();
    if (canMount) await lines.next();
  });

  afterEach(async () => {
    shell.kill('SIGKILL');
    await rm(dir, { recursive: true, force: true });
  });

  const ask = async (line: string): Promise<Response> => {
    shell.stdin?.write(`${line}\n`);
    return JSON.parse(String((await lines.next()).value)) as Response;
  };

  it('refuses, keeps what was acknowledged, opens again, and continues once there is room', async () => {
    if (!canMount) {
      process.stderr.write('a tmpfs cannot be mounted here: the test with a full file system did not run\n');
      return;
    }
    expect(await ask('100')).toMatchObject({ appended: 0, end: 1 });
    await ask('fill');
    expect(await ask('100')).toMatchObject({ code: 'UNAVAILABLE', end: 1 });
    expect(await ask('dead-letter')).toMatchObject({ code: 'UNAVAILABLE', end: 1 });
    await ask('restart');
    expect(await ask('100')).toMatchObject({ code: 'UNAVAILABLE', end: 1 });
    await ask('free');
    expect(await ask('100')).toMatchObject({ appended: 1, end: 2 });
    expect(await ask('dead-letter')).toMatchObject({ appended: 2, end: 2 });
    await ask('restart');
    expect(await ask('100')).toMatchObject({ appended: 0, end: 3 });
  });
});

/** Runs the log's process, fills and frees the disk beside it, and kills and starts it again. */
const SUPERVISOR = `
const { spawn } = require("node:child_process");
const { writeSync, openSync, closeSync, rmSync } = require("node:fs");
const { createInterface } = require("node:readline");
const [program, dir] = process.argv.slice(1);
let child;
const start = () => {
  child = spawn(process.execPath, [program, dir], { stdio: ["pipe", "inherit", "inherit"] });
};
const fill = () => {
  const file = openSync(dir + "/ballast", "a");
  try { for (;;) writeSync(file, Buffer.alloc(4096)); } catch { closeSync(file); }
};
start();
createInterface({ input: process.stdin }).on("line", (line) => {
  if (line === "restart") { child.once("exit", start); child.kill("SIGKILL"); return; }
  if (line === "fill") fill();
  else if (line === "free") rmSync(dir + "/ballast");
  else { child.stdin.write(line + "\\n"); return; }
  process.stdout.write("{}\\n");
});
`;
