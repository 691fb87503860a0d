import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@assay/testing';
import type { Client } from '../harness/stack/client.js';
import { freePort } from '../harness/stack/free-port.js';
import type { Stack } from '../harness/stack/stack.js';
import { runCommand } from '../harness/processes/run-command.js';

const MB = 1024 * 1024;
const LETTERS = ['dead-letters'];

/** Every command of `assay`, run as a process against the running product. */
export function usesCommandLine({ client, stack }: { readonly client: Client; readonly stack: Stack }): void {
  const environment = () => ({
    ASSAY_URL: stack.baseUrl,
    ASSAY_ADMIN_URL: stack.adminUrl('standalone'),
    ASSAY_API_KEY: stack.apiKey,
    ASSAY_ADMIN_TOKEN: stack.adminToken,
  });
  /** Runs a command that succeeds, and returns its output. */
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand(args, environment());
    expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' });
    for (const secret of [stack.apiKey, stack.adminToken]) expect(stdout + stderr).not.toContain(secret);
    return stdout;
  };
  const runJson = async <T>(...args: string[]) => JSON.parse(await run(...args, '--json')) as T;

  it('says what runs: the version of the command, and that of the product without a key', async () => {
    expect(await run('--version')).toMatch(/^assay 0\.1\.0 \(commit [0-9a-f]{40}\)\n$/);
    const response = await client.call('GET', '/version', { key: '' });
    expect([response.status, response.json()]).toEqual([
      200,
      { version: '0.1.0', commit: expect.stringMatching(/^[0-9a-f]{40}$/) as string },
    ]);
  });

  it('explains every command with --help, without a server and without credentials', async () => {
    const help = async (command: readonly string[]): Promise<number> => {
      const { code, stdout, stderr } = await runCommand([...command, '--help'], {});
      expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: '' });
      expect(stdout).toMatch(new RegExp(`^Usage: assay ${command.join(' ')}`));
      expect(stdout).toContain('ASSAY_ADMIN_TOKEN  the administrator');
      const [, listed = ''] = /\nCommands:\n([^]*?)\n\n/.exec(stdout) ?? [];
      const names = [...listed.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name);
      let count = 1;
      for (const name of names) if (name !== 'help') count += await help([...command, name]);
      return count;
    };
    // The program, thirteen commands, of which three have together eleven of their own.
    expect(await help([])).toBe(25);
  });

  it('reads the status, for people and for machines', async () => {
    expect(await run('status')).toMatch(
      /Assay 0\.1\.0 \(standalone\)[^]*\naccepted +\d+ +\d+ +- +- +project\n/,
    );
    expect(await runJson('status')).toMatchObject({ version: '0.1.0', plane: 'standalone' });
  });

  it('finds no fault in a process that works, and one in a process that does not respond', async () => {
    const found = await run('doctor');
    for (const name of [
      'reader',
      'log',
      'documents',
      'ClickHouse version',
      'ClickHouse clock',
      'disk',
      'clock',
    ])
      expect(found).toContain(`ok     ${name}:`);
    const urls = `${stack.adminUrl('standalone')},http://127.0.0.1:${await freePort()}`;
    const { code, stdout } = await runCommand(['doctor', '--json'], {
      ...environment(),
      ASSAY_ADMIN_URL: urls,
    });
    const report = JSON.parse(stdout) as { ok: boolean; processes: { ok: boolean }[] };
    expect([code, report.ok, report.processes.map(({ ok }) => ok)]).toEqual([1, false, [true, false]]);
  });

  it('creates, lists, renames and deletes projects and keys, and prints a new key once', async () => {
    const { id, api_key: first } = await runJson<{ id: string; api_key: string }>(
      'projects',
      'create',
      'cli',
    );
    expect(await run('projects', 'list')).toContain(id);
    expect(await run('projects', 'rename', 'cli', 'command line')).toContain(id);
    const created = await run('keys', 'create', '--project', id, '--permissions', 'events:read');
    const [, keyId = '', key = ''] = /created key (\S+)\nkey, shown once: (\S+)/.exec(created) ?? [];
    expect((await client.call('GET', '/v1/status', { key })).status).toBe(200);
    const several = await runCommand(['keys', 'list'], environment());
    expect(several).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringMatching(/^error: there are \d+ projects, name one with --project: /) as string,
    });
    const named = ['--name', 'dashboard', '--description', 'Reads charts', '--permissions', 'charts:read'];
    await run('keys', 'create', '--project', id, ...named);
    expect(await runJson('keys', 'list', '--project', id)).toContainEqual(
      expect.objectContaining({ name: 'dashboard', description: 'Reads charts' }),
    );
    const ingest = await run('keys', 'create', '--project', id, '--ingest', 'exporter');
    expect(ingest).toContain('hh_ingst_');
    const listed = await run('keys', 'list', '--project', id);
    expect(listed).toContain(keyId);
    for (const secret of [key, first]) expect(listed).not.toContain(secret);
    await run('keys', 'delete', keyId, '--project', id);
    expect(await run('keys', 'list', '--project', id)).not.toContain(keyId);
    await run('projects', 'delete', 'command line', '--yes');
    expect(await run('projects', 'list')).not.toContain(id);
  });

  it('migrates the event store', async () => {
    expect(await run('migrate')).toBe('the tables of the event store are up to date\n');
    expect(await runJson('migrate', '--dry-run')).toMatchObject({ missing: [], applied: [] });
  });

  it('lists, shows, replays and deletes dead letters', async () => {
    const event = { event_type: 'tool', event_name: 'large', inputs: {}, start_time: 1, end_time: 2 };
    const { event_id: id } = (await client.post('/v1/events', event)).json<{ event_id: string }>();
    for (const name of ['a', 'b', 'c']) {
      const body = { metadata: { [name]: 'x'.repeat(7 * MB) } };
      // Large updates of one of several projects are refused while others wait to be stored.
      await waitFor('the update is accepted', async () => {
        return (await client.call('PUT', `/v1/events/${id}`, { body })).status === 200;
      });
    }
    const list = () => runJson<{ id: string; event_id: string; error_class: string }[]>(...LETTERS, 'list');
    const [letter] = await waitFor('the third update is a dead letter', async () => {
      const found = await list();
      return found.length > 0 ? found : undefined;
    });
    expect(letter).toMatchObject({ event_id: id, error_class: 'EVENT_TOO_LARGE' });
    expect(await run(...LETTERS, 'list', '--group', 'forward')).not.toContain('EVENT_TOO_LARGE');
    expect(await run(...LETTERS, 'show', letter?.id ?? '')).toContain(id);
    expect(await run(...LETTERS, 'replay', letter?.id ?? '')).toBe('replayed 1 dead letters\n');
    const again = await waitFor('the replayed letter fails again', async () => (await list())[0]?.id);
    expect(again).not.toBe(letter?.id);
    const replayed = await runCommand([...LETTERS, 'replay', '--all', '--limit', '1'], environment());
    expect(replayed).toEqual({
      ...{ code: 0, stdout: 'replayed 1 dead letters\n' },
      stderr: 'replay: 1 dead letters so far\n',
    });
    await waitFor('the letter fails once more', async () => {
      const [last] = await list();
      return last !== undefined && last.id !== again;
    });
    const deleted = await runCommand([...LETTERS, 'delete', '--all', '--json'], environment());
    expect([JSON.parse(deleted.stdout), deleted.stderr]).toEqual([
      { deleted: 1 },
      'delete: 1 dead letters so far\n',
    ]);
    expect(await run(...LETTERS, 'delete', '--error-class', 'EVENT_TOO_LARGE')).toBe(
      'deleted 0 dead letters\n',
    );
    expect(await run(...LETTERS, 'replay', '--all')).toBe('replayed 0 dead letters\n');
    expect(await run(...LETTERS, 'delete', '--all')).toBe('deleted 0 dead letters\n');
  });

  describe('that cannot be run', () => {
    const dir = mkdtempSync(join(tmpdir(), 'assay-cli-'));
    const file = join(dir, 'token');
    let other: string;
    let closeOther: () => void;
    beforeAll(async () => {
      writeFileSync(file, 'not the token\n');
      const server = createServer((_, response) => response.end('<html>')).listen(0, '127.0.0.1');
      await once(server, 'listening');
      other = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      closeOther = () => server.close();
    });
    afterAll(() => {
      closeOther();
      rmSync(dir, { recursive: true, force: true });
    });

    const CLOSED = 'http://127.0.0.1:1';
    type Change = Readonly<Record<string, string | undefined>>;
    interface Expected {
      readonly code: number;
      readonly message: RegExp;
    }
    const fails = (code: number, message: RegExp): Expected => ({ code, message });
    it.each<[string, string[], () => Change, Expected]>([
      ['an unknown command', ['statsu'], () => ({}), fails(2, /^error: unknown command 'statsu'/)],
      ['an unknown option', ['status', '--x'], () => ({}), fails(2, /^error: unknown option '--x'/)],
      [
        'a missing argument',
        [...LETTERS, 'show'],
        () => ({}),
        fails(2, /^error: missing required argument 'id'/),
      ],
      [
        'a missing option',
        ['gate', 'run'],
        () => ({}),
        fails(2, /^error: required option '--against <run>'/),
      ],
      [
        'an invalid limit',
        [...LETTERS, 'list', '--limit', '0'],
        () => ({}),
        fails(2, /must be a number from 1 to 100000/),
      ],
      [
        'no confirmation',
        ['projects', 'delete', 'x'],
        () => ({}),
        fails(2, /^error: required option '--yes'/),
      ],
      ['no selection', [...LETTERS, 'delete'], () => ({}), fails(1, /^error: name ids, use --group/)],
      [
        'no key',
        ['status'],
        () => ({ ASSAY_API_KEY: undefined }),
        fails(1, /^error: set ASSAY_API_KEY or ASSAY_API_KEY_FILE/),
      ],
      [
        'no token',
        ['projects', 'list'],
        () => ({ ASSAY_ADMIN_TOKEN: undefined, ASSAY_DATA_DIR: join(dir, 'none') }),
        fails(1, /^error: set ASSAY_ADMIN_TOKEN/),
      ],
      [
        'a wrong key',
        ['status'],
        () => ({ ASSAY_API_KEY: 'wrong-key-0123456789' }),
        fails(1, /^error: the key is unknown.*check ASSAY_API_KEY/),
      ],
      [
        'a key with a line break',
        ['status'],
        () => ({ ASSAY_API_KEY: 'a\nb' }),
        fails(1, /^error: ASSAY_API_KEY must be one word/),
      ],
      [
        'a wrong token file',
        ['migrate'],
        () => ({ ASSAY_ADMIN_TOKEN: undefined, ASSAY_ADMIN_TOKEN_FILE: file }),
        fails(1, /^error: ASSAY_ADMIN_TOKEN must be one word/m),
      ],
      [
        'a missing token file',
        ['migrate'],
        () => ({ ASSAY_ADMIN_TOKEN: undefined, ASSAY_ADMIN_TOKEN_FILE: join(dir, 'none') }),
        fails(1, /^error: the file that ASSAY_ADMIN_TOKEN_FILE names cannot be read/m),
      ],
      [
        'no server',
        ['status'],
        () => ({ ASSAY_URL: CLOSED }),
        fails(1, /^error: cannot reach http:\/\/127\.0\.0\.1:1 \(.+\), start Assay or set ASSAY_URL/),
      ],
      [
        'an invalid URL',
        ['status'],
        () => ({ ASSAY_URL: 'localhost' }),
        fails(1, /^error: ASSAY_URL must be an http or https URL/),
      ],
      [
        'another server',
        ['status'],
        () => ({ ASSAY_URL: other }),
        fails(1, /^error: http:\S+ did not respond as Assay does/),
      ],
      [
        'an unknown dead letter',
        [...LETTERS, 'show', 'x'],
        () => ({}),
        fails(1, /^error: there is no such dead letter/),
      ],
      [
        'an unknown permission',
        ['keys', 'create', '--project', 'p', '--permissions', 'x'],
        () => ({}),
        fails(1, /^error: permissions\[0\] must/),
      ],
    ])('says what to do about %s, in a sentence', async (_, args, changes, { code, message }) => {
      const merged = Object.entries({ ...environment(), ...changes() });
      const result = await runCommand(
        args,
        Object.fromEntries(merged.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
      );
      expect([result.code, result.stdout]).toEqual([code, '']);
      expect(result.stderr).toMatch(message);
      expect(result.stderr).not.toMatch(/\n {4}at |wrong-key-0123456789|not the token/);
      expect(result.stderr).not.toContain(stack.adminToken);
    });
  });
}
