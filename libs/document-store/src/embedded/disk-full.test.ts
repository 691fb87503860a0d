import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import { openEmbeddedDocumentStore } from './open-embedded-document-store.js';

const run = promisify(execFile);
const BOOKS = { name: 'books', unique: [['name']], indexes: [['pages']] };

/** Inserts a document for each line of its input, and prints `kept` or the code of the error for each. */
const WRITER = `
  const { module, dir, spec } = JSON.parse(process.argv[1]);
  (async () => {
    const store = await require(module).openEmbeddedDocumentStore({ dir });
    const books = await store.collection(spec);
    for await (const id of require('node:readline').createInterface({ input: process.stdin })) {
      const fields = { name: id, pages: 1, extra: 'x'.repeat(100000) };
      console.log(await books.insert(id, fields).then(() => 'kept', (error) => error.code));
    }
    await store.close();
  })();
`;

describe('the embedded store on a full disk', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-full-'));
  let child: ChildProcessByStdio<Writable, Readable, null>;
  afterAll(() => {
    child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  });

  it('rejects writes without space, keeps acknowledged documents, and recovers without a restart once there is space', async () => {
    const argument = JSON.stringify({ module: join(__dirname, '../../dist/index.js'), dir, spec: BOOKS });
    child = spawn(process.execPath, ['-e', WRITER, argument], { stdio: ['pipe', 'pipe', 'ignore'] });
    const responses = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const outcomes = new Map<string, unknown>();
    const insert = async (from: number, count: number) => {
      for (let n = from; n < from + count; n++) {
        child.stdin.write(`b${n}\n`);
        outcomes.set(`b${n}`, (await responses.next()).value);
      }
    };
    const allowFileSize = (bytes: number | 'unlimited') =>
      run('prlimit', ['--pid', String(child.pid), `--fsize=${bytes}:unlimited`]);

    await insert(0, 5);
    await allowFileSize(statSync(join(dir, 'documents.sqlite-wal')).size + 256 * 1024);
    await insert(5, 10);
    expect(new Set(outcomes.values())).toEqual(new Set(['kept', 'UNAVAILABLE']));
    await allowFileSize('unlimited');
    await insert(15, 5);
    expect(outcomes.get('b19')).toBe('kept');

    child.stdin.end();
    await once(child, 'exit');
    const kept = [...outcomes].filter(([, outcome]) => outcome === 'kept').map(([id]) => id);
    const store = await openEmbeddedDocumentStore({ dir });
    const books = await store.collection<{ name: string }>(BOOKS);
    const listed = await books.list({ equals: { pages: 1 }, limit: 100 });
    expect(listed.map(({ id }) => id)).toEqual(kept.sort());
    for (const id of kept) expect((await books.findUnique({ name: id }))?.id).toBe(id);
    await store.close();
  });
});
