import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repository } from '../../harness/stack/repository.js';
import { PYTHON_LIBRARIES } from './python-libraries.js';

const FOLDER = join(repository, 'test/instrumentations');
const read = (path: string): string => readFileSync(join(FOLDER, path), 'utf8');

interface Entry {
  readonly package: string;
  readonly pins: string;
  readonly program: string;
}

const catalogue = JSON.parse(read('libraries.json')) as Entry[];
const sources = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter(
    (path) =>
      path.endsWith('.ts') && !path.includes('node_modules') && path !== 'libraries/catalogue.test.ts',
  )
  .map(read)
  .join('\n');

describe('the catalogue of libraries', () => {
  test.each(catalogue)('names a program for $package that a test runs', ({ program }) => {
    expect(existsSync(join(FOLDER, program))).toBe(true);
    expect(sources).toContain(basename(program));
  });

  test.each(
    PYTHON_LIBRARIES.flatMap(({ packages, program, python }) =>
      packages.map((name) => [name, program[0], python]),
    ),
  )('has %s, which %s runs', (name, program, python) => {
    const entry = catalogue.find((found) => found.package === name && found.program.endsWith(`/${program}`));
    expect(entry?.pins ?? read(`python/${python}.txt`)).toContain(
      entry ? `python/${python}.txt` : `${name}==`,
    );
  });
});
