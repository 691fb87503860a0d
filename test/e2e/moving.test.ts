import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../harness/processes/run-command.js';
import { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import { repository } from '../harness/stack/repository.js';
import { startEmbeddedSplit } from '../harness/stack/start-embedded-split.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import type { Stack } from '../harness/stack/stack.js';
import { fillProject, sendEvents, type FilledProject } from './moved-project.js';
import { startRefusingProxy } from './refusing-proxy.js';

const seed = Date.now() % 2 ** 31;
const EVENTS = 700;

describe(`a project that moves to another installation (seed ${seed})`, () => {
  const source = onStack(startStandalone);
  const target = onStack(startStandalone);
  const root = mkdtempSync(join(tmpdir(), 'assay-moving-'));
  const dir = join(root, 'export');
  let filled: FilledProject;

  const on = (stack: Stack, args: readonly string[], url = stack.baseUrl) =>
    runCommand(args, { ASSAY_URL: url, ASSAY_API_KEY: stack.apiKey });
  /** Runs a command that must succeed, and returns its result. */
  async function resultOf<T>(stack: Stack, ...args: string[]): Promise<T> {
    const { code, stdout, stderr } = await on(stack, [...args, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) as string });
    return JSON.parse(stdout) as T;
  }
  type Imported = Readonly<Record<string, { readonly added: number; readonly present: number }>>;
  const sum = (imported: Imported, which: 'added' | 'present') =>
    Object.values(imported).reduce((total, one) => total + one[which], 0);
  const fileOf = (folder: string, kind: string) =>
    join(folder, readdirSync(folder).find((name) => name.startsWith(`${kind}-`)) ?? kind);
  /** Copies the export and changes the copy. */
  function changed(name: string, change: (folder: string) => void): string {
    const folder = join(root, name);
    cpSync(dir, folder, { recursive: true });
    change(folder);
    return folder;
  }

  /** The commands of docs/moving.md, without the program and comments, for these folder and project. */
  function documented(folder: string, project: string): string[][] {
    const text = readFileSync(join(repository, 'docs/moving.md'), 'utf8');
    const [, block = ''] = /```sh\n([^`]*)```/.exec(text) ?? [];
    return [...block.matchAll(/^npx assay (.*?)\s+#/gm)].map(([, command = '']) =>
      [...command.matchAll(/"[^"]*"|\S+/g)].map(([word]) =>
        word.startsWith('"') ? project : word.replace('./moved', folder),
      ),
    );
  }

  beforeAll(async () => {
    filled = await fillProject(source.client, { seed, events: EVENTS });
    await resultOf(source.stack, 'export', filled.name, dir, '--file-bytes', '200000');
  }, 300_000);
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('is complete: files of bounded size with counts and checksums', () => {
    const manifest = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as {
      complete: boolean;
      counts: Record<string, number>;
      files: { name: string; bytes: number; lines: number }[];
    };
    expect(manifest.complete).toBe(true);
    expect(manifest.counts).toMatchObject({
      ...{ events: EVENTS, datapoints: 30, dataset_members: 29, datasets: 1, runs: 1, charts: 1 },
      ...{ metrics: 2, metric_versions: 3, configurations: 1, queues: 1, queue_entries: 4 },
    });
    expect(readFileSync(fileOf(dir, 'events'), 'utf8')).toMatch(/"evaluations":\[\{"metric_id"/);
    expect(manifest.files.filter(({ name }) => name.startsWith('events-')).length).toBeGreaterThan(1);
    expect(readdirSync(dir).filter((name) => name.endsWith('.part') || name === '.lock')).toEqual([]);
  });

  it('is refused before anything is written when the folder is not what was exported', async () => {
    const events = (folder: string) => fileOf(folder, 'events');
    const lines = (folder: string) => readFileSync(events(folder), 'utf8').split('\n');
    const rewrite = (folder: string, text: string) => writeFileSync(events(folder), text);
    const manifest = (change: (text: string) => string) => (folder: string) =>
      writeFileSync(
        join(folder, 'manifest.json'),
        change(readFileSync(join(folder, 'manifest.json'), 'utf8')),
      );
    const cases: readonly (readonly [string, (folder: string) => void, RegExp])[] = [
      [
        'truncated',
        (folder) => rewrite(folder, lines(folder).join('\n').slice(0, -20)),
        /^error: events-000001\.ndjson line \d+ is truncated/,
      ],
      [
        'shortened',
        (folder) => rewrite(folder, lines(folder).slice(0, 3).join('\n') + '\n'),
        /^error: events-000001\.ndjson line 4: the file has 3 of \d+ lines/,
      ],
      [
        'reordered',
        (folder) => {
          const [first, second, third, ...rest] = lines(folder);
          rewrite(folder, [first, third, second, ...rest].join('\n'));
        },
        /^error: events-000001\.ndjson line 2 is out of order: it says line 3/,
      ],
      [
        'edited',
        (folder) => rewrite(folder, lines(folder).join('\n').replace('"step 1"', '"step 2"')),
        /^error: events-000001\.ndjson line \d+ has changed since the export/,
      ],
      ['longer', (folder) => appendFileSync(events(folder), '{}\n'), /line \d+ is not a line of an export/],
      [
        'missing',
        (folder) => rmSync(fileOf(folder, 'datasets')),
        /datasets-000001\.ndjson is missing in DIR/,
      ],
      ['foreign', manifest(() => '{"format":"other"}'), /manifest\.json of DIR is not that of an export/],
      [
        'newer',
        manifest((text) => text.replace('"version": 1', '"version": 2')),
        /manifest\.json: the format version 2 is newer than 1/,
      ],
      [
        'incomplete',
        manifest((text) => text.replace('"complete": true', '"complete": false')),
        /the export in DIR is not complete/,
      ],
      ['without manifest', (folder) => rmSync(join(folder, 'manifest.json')), /DIR has no manifest\.json/],
      [
        'locked',
        (folder) => writeFileSync(join(folder, '.lock'), `${process.pid} x\n`),
        /another command uses DIR/,
      ],
    ];
    for (const [name, change, message] of cases) {
      const { code, stderr } = await on(target.stack, ['import', changed(name, change)]);
      expect({ name, code, stderr }).toEqual({
        name,
        code: 1,
        stderr: expect.stringMatching(message) as string,
      });
    }
    const { events: found } = (await target.client.post('/v1/events/search', {})).json<{
      events: unknown[];
    }>();
    expect(found).toEqual([]);
  }, 300_000);

  it('is refused for a key of another project', async () => {
    const { code, stderr } = await on(target.stack, ['import', dir, '--project', 'another']);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('another project') as string,
    });
  });

  it('has 0 differences after the import, which waits while the server refuses', async () => {
    const proxy = await startRefusingProxy(
      target.stack.baseUrl,
      (method, number) => method === 'PUT' && number % 4 === 2,
    );
    const { code, stdout } = await on(target.stack, ['import', dir, '--json'], proxy.url);
    await proxy.close();
    expect(code).toBe(0);
    const imported = JSON.parse(stdout) as Imported;
    expect(imported['events']).toEqual({ added: EVENTS, present: 0 });
    const { stderr, ...verified } = await on(target.stack, ['verify', dir, '--json']);
    expect({ ...verified, stderr, stdout: JSON.parse(verified.stdout) as unknown }).toEqual({
      code: 0,
      stderr: '',
      stdout: { compared: sum(imported, 'added'), differences: 0 },
    });
  }, 300_000);

  it('changes nothing when it is imported again', async () => {
    const again = await resultOf<Imported>(target.stack, 'import', dir);
    expect(sum(again, 'added')).toBe(0);
    expect((await on(target.stack, ['verify', dir])).stdout).toMatch(/ 0 differences\n$/);
  }, 300_000);

  it('moves by the commands of docs/moving.md', async () => {
    const commands = documented(join(root, 'documented'), filled.name);
    expect(commands.map(([name]) => name)).toEqual(['export', 'import', 'verify']);
    for (const command of commands) {
      const { code, stdout } = await on(command[0] === 'export' ? source.stack : target.stack, command);
      expect([command[0], code, stdout]).toEqual([command[0], 0, expect.any(String)]);
    }
  }, 300_000);

  it('moves to separate services and back', async () => {
    const split = await startEmbeddedSplit({});
    const back = join(root, 'back');
    const at = { url: split.baseUrl, key: split.apiKey };
    const [project] = (await new Client(split).call('GET', '/v1/projects')).json<{ name: string }[]>();
    for (const command of [
      ['import', dir],
      ['verify', dir],
      ['export', project?.name ?? '', back],
    ]) {
      const result = await runCommand(command, { ASSAY_URL: at.url, ASSAY_API_KEY: at.key });
      expect([command[0], result]).toEqual([command[0], expect.objectContaining({ code: 0 })]);
    }
    expect(await split.stop()).toBe(true);
    expect((await on(source.stack, ['verify', back])).stdout).toMatch(/ 0 differences\n$/);
  }, 300_000);

  it('is different when the project has changed since, which is said without values', async () => {
    const [id = ''] = await sendEvents(target.client, seed, 1);
    const { code, stdout, stderr } = await on(target.stack, ['verify', dir]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/ 1 differences\n$/);
    expect(stderr).toBe(`events ${id} is not in DIR\n`);
  }, 300_000);
});
