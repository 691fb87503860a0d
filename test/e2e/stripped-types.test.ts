import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runNode } from '../harness/processes/run-node.js';
import { makeInstalledClone } from '../harness/stack/installed-clone.js';
import { repository } from '../harness/stack/repository.js';
import { NO_GRPC, startStandalone } from '../harness/stack/start-standalone.js';
import { declareJourneys, INGEST_JOURNEYS, SESSION_JOURNEYS } from './journeys.js';

/**
 * What `npm start` runs on a clone without the compiler: the sources without their types, which were not checked. `fresh-clone.engines.test.ts`
 * runs more journeys on a clone that was installed from a registry.
 */
describe('the product with stripped types', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-stripped-'));
  const clone = join(folder, 'clone');
  const errors = join(clone, 'libs/errors');
  const strip = () =>
    runNode(
      [
        ...['--input-type=module', '--eval'],
        'const [module, root] = process.argv.slice(1); await (await import(module)).stripTypes(root);',
        ...[join(clone, 'libs/tooling/run/strip-types.mjs'), clone],
      ],
      clone,
      { PATH: process.env.PATH ?? '' },
    );

  beforeAll(async () => {
    makeInstalledClone(clone);
    expect(await strip()).toEqual({ code: 0, stdout: '', stderr: '' });
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const declared = [...INGEST_JOURNEYS, ...SESSION_JOURNEYS].filter(({ name }) =>
    ['events', 'runs of one session'].includes(name),
  );
  declareJourneys(declared, 'on stripped types', ({ settings, everywhere }) =>
    startStandalone({ ...NO_GRPC, ...everywhere, ...settings }, clone),
  );

  it('has a file for each file of the compiler', () => {
    // The console has a build of its own.
    const isCompiled = (group: string, name: string) =>
      name !== 'console' && existsSync(join(clone, group, name, 'src'));
    for (const group of ['libs', 'services', 'deploy'])
      for (const name of readdirSync(join(clone, group)).filter((one) => isCompiled(group, one))) {
        const folder = join(group, name);
        // A source that was removed leaves what was compiled of it.
        const hasSource = (file: string) =>
          existsSync(join(clone, folder, 'src', file.replace(/\.js(\.map)?$/, '.ts')));
        const filesOf = (root: string) =>
          readdirSync(join(root, folder, 'dist'), { recursive: true, encoding: 'utf8' })
            .filter((file) => /\.js(\.map)?$/.test(file) && hasSource(file))
            .sort();
        expect([folder, filesOf(clone)]).toEqual([folder, filesOf(repository)]);
      }
  });

  it('is compiled again by the compiler, which has forgotten what it wrote before', async () => {
    const output = join(errors, 'dist/index.js');
    const compile = () =>
      runNode([join(repository, 'node_modules/typescript-compiler/bin/tsc'), '-b', 'libs/errors'], clone, {});
    writeFileSync(
      join(errors, 'dist/.tsbuildinfo'),
      readFileSync(join(repository, 'libs/errors/dist/.tsbuildinfo')),
    );
    expect((await strip()).code).toBe(0);
    expect(existsSync(join(errors, 'dist/.tsbuildinfo'))).toBe(false);
    const stripped = readFileSync(output, 'utf8');
    expect(await compile()).toEqual({ code: 0, stdout: '', stderr: '' });
    const compiled = readFileSync(output, 'utf8');
    expect(compiled).toBe(readFileSync(join(repository, 'libs/errors/dist/index.js'), 'utf8'));
    expect(compiled).not.toBe(stripped);
    expect(existsSync(join(errors, 'dist/index.d.ts'))).toBe(true);
  }, 60_000);

  it('leaves a process that reads a file the former content, and puts the new one in its place', async () => {
    const output = join(errors, 'dist/index.js');
    writeFileSync(output, 'what ran before');
    const opened = openSync(output, 'r');
    expect((await strip()).code).toBe(0);
    expect(readFileSync(opened, 'utf8')).toBe('what ran before');
    expect(readFileSync(output, 'utf8')).toContain('//# sourceMappingURL=index.js.map');
    closeSync(opened);
    expect(readdirSync(join(errors, 'dist')).filter((file) => file.endsWith('.new'))).toEqual([]);
  });

  it('ends at a source that is not TypeScript, and names it', async () => {
    const broken = join(errors, 'src/broken.ts');
    writeFileSync(broken, 'export const = 1;\n');
    const { code, stderr } = await strip();
    expect([code, stderr]).toEqual([1, expect.stringContaining('libs/errors/src/broken.ts')]);
  });
});
