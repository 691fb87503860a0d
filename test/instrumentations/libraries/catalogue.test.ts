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

  test.each(PYTHON_LIBRARIES.map((library) => ({ ...library, name: library.packages[0] })))(
    'has $name with the packages that its program runs with',
    ({ packages, program, python }) => {
      const pins = `python/${python}.txt`;
      expect(catalogue).toContainEqual(
        expect.objectContaining({ package: packages[0], pins, program: `python/libraries/${program[0]}` }),
      );
      for (const name of packages) expect(read(pins)).toContain(`\n${name}==`);
    },
  );
});
