import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { repository } from '../harness/stack/repository.js';

/** The paths of tests and test support, without their extension. */
function testPaths(): string[] {
  const packages = ['libs', 'services', 'deploy'].flatMap((folder) =>
    readdirSync(join(repository, folder)).flatMap((name) => [
      `${folder}/${name}/src`,
      `${folder}/${name}/test`,
    ]),
  );
  return [...packages, 'test'].flatMap(filesBelow).filter((path) => /(^|\/)test\/|\.test$/.test(path));
}

function filesBelow(folder: string): string[] {
  let entries;
  try {
    entries = readdirSync(join(repository, folder), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return entry.name === 'node_modules' || entry.name === 'dist' ? [] : filesBelow(path);
    return /\.[cm]?ts$/.test(entry.name) ? [path.replace(/\.[cm]?ts$/, '')] : [];
  });
}

/** The names of tests, of their folders and of packages after the last colon of an item, by the item's promise. */
function citations(document: string): (readonly [promise: string, name: string])[] {
  return readFileSync(join(repository, document), 'utf8')
    .split(/\n(?=[-#])/)
    .flatMap((item) => {
      const [, promise, tests] = /^- (.+):\s(.+)$/s.exec(item) ?? [];
      return [...(tests ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => [promise!, name!] as const);
    });
}

function numbered(letter: string, last: number): string[] {
  return Array.from({ length: last }, (_, index) => `${letter}${index + 1}`);
}

describe('the tests of promises', () => {
  it.each([
    ['docs/reliability.md', 50],
    ['docs/security.md', 25],
  ])('that %s cites exist', (document, atLeast) => {
    const paths = testPaths();
    const withoutTest = paths.map((path) => path.replace(/\.test$/, ''));
    const withoutEngines = withoutTest.map((path) => path.replace(/\.engines$/, ''));
    const folders = paths.flatMap((path) => {
      const parts = dirname(path).split('/');
      return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
    });
    const known = new Set([...paths, ...withoutTest, ...withoutEngines, ...folders]);
    const names = new Set([...known].map((path) => basename(path)));
    const cited = citations(document);
    expect(cited.length).toBeGreaterThan(atLeast);
    expect(cited.filter(([, name]) => !(name.includes('/') ? known : names).has(name))).toEqual([]);
  });

  it('are cited for each number', () => {
    const promises = ['docs/reliability.md', 'docs/security.md']
      .flatMap(citations)
      .map(([promise]) => promise);
    const numbers = new Set(promises.flatMap((promise) => promise.match(/(?<=^\*\*.*)[RS]\d+/g) ?? []));
    const expected = [...numbered('R', 22), ...numbered('S', 20)];
    expect(expected.filter((number) => !numbers.has(number))).toEqual([]);
  });
});
