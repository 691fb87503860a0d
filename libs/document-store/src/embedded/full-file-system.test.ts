import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { openEmbeddedDocumentStore } from './open-embedded-document-store.js';

const BOOKS = { name: 'books', unique: [['name']], indexes: [['pages']] };

/**
 * Runs a command per line, `insert <id> <bytes>` or `get <id>`, and prints the outcome or the code of the
 * error.
 */
const WORKER = `
  const { module, dir, spec } = JSON.parse(process.argv[1]);
  (async () => {
    const store = await require(module).openEmbeddedDocumentStore({ dir });
    const books = await store.collection(spec);
    const commands = {
      insert: (id, bytes) => books.insert(id, { name: id, pages: 1, extra: 'x'.repeat(bytes) }).then(() => 'kept'),
      get: (id) => books.get(id).then((found) => found?.id),
      list: () => books.list({ equals: { pages: 1 }, limit: 1000 }).then((found) => found.length),
      both: async (id, bytes) => {
        const outcomes = await Promise.allSettled([commands.insert(id, 10), commands.insert(id + 'large', bytes)]);
        return outcomes.map(({ value, reason }) => value ?? reason.code).join();
      },
    };
    console.log('ready');
    for await (const line of require('node:readline').createInterface({ input: process.stdin })) {
      const [command, id, bytes] = line.split(' ');
      console.log(await commands[command](id, Number(bytes)).catch((error) => error.code));
    }
    await store.close();
  })();
`;

function mountSmallDisk(dir: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', dir], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('the embedded store on a full file system', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-small-'));
  const mounted = mountSmallDisk(dir);
  const filler = join(dir, 'filler');
  const children: ChildProcessByStdio<Writable, Readable, null>[] = [];
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
    if (mounted) execFileSync('umount', ['-l', dir]);
    rmSync(dir, { recursive: true, force: true });
  });
  if (!mounted) process.stderr.write('no small file system: this process may not mount one\n');
  const onSmallDisk = mounted ? it : it.skip;

  const start = async () => {
    const argument = JSON.stringify({ module: join(__dirname, '../../dist/index.js'), dir, spec: BOOKS });
    const child = spawn(process.execPath, ['-e', WORKER, argument], { stdio: ['pipe', 'pipe', 'inherit'] });
    children.push(child);
    const responses = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const nextResponse = async () => String((await responses.next()).value);
    expect(await nextResponse()).toBe('ready');
    const send = (command: string) => {
      child.stdin.write(`${command}\n`);
      return nextResponse();
    };
    return { child, send };
  };
  const fill = () => {
    try {
      for (;;) appendFileSync(filler, Buffer.alloc(4096));
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' });
    }
  };

  onSmallDisk(
    'rejects writes as unavailable, serves reads, also after kill -9, and recovers without a restart',
    async () => {
      const first = await start();
      const kept: string[] = [];
      for (let n = 0; n < 5; n++) {
        expect(await first.send(`insert b${n} 20000`)).toBe('kept');
        kept.push(`b${n}`);
      }
      fill();
      for (let n = 0; n < 5; n++) expect(await first.send(`insert full${n} 400000`)).toBe('UNAVAILABLE');
      for (const id of kept) expect(await first.send(`get ${id}`)).toBe(id);
      expect(await first.send('list')).toBe('5');

      first.child.kill('SIGKILL');
      await once(first.child, 'exit');
      fill();
      const second = await start();
      for (const id of kept) expect(await second.send(`get ${id}`)).toBe(id);
      expect(await second.send('list')).toBe('5');
      expect(await second.send('insert full 400000')).toBe('UNAVAILABLE');

      rmSync(filler);
      expect(await second.send('insert after 400000')).toBe('kept');
      expect(await second.send('both small 8000000')).toBe('kept,UNAVAILABLE');
      second.child.stdin.end();
      expect(await once(second.child, 'exit')).toEqual([0, null]);

      const store = await openEmbeddedDocumentStore({ dir });
      const books = await store.collection(BOOKS);
      const listed = await books.list({ equals: { pages: 1 }, limit: 100 });
      expect(listed.map(({ id }) => id)).toEqual(['after', ...kept, 'small']);
      expect(statSync(join(dir, 'documents.sqlite')).size).toBeGreaterThan(0);
      await store.close();
    },
  );
});
