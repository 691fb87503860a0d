import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { RegistryStub } from '../processes/registry-stub.js';
import { copySources } from './installed-clone.js';
import { repository } from './repository.js';

/** The package that an install takes longest for. */
export const LIBRARY = '@chdb/lib-linux-x64-gnu';
/** A package of development. */
export const TOOL = 'a-tool';
const VERSION = '1.0.0';

/** What the clone runs in place of the product. */
const MAIN = `const { found }: { found: string } = require('@assay/event-store');
console.log('Assay listens on http://127.0.0.1:1 (admin http://127.0.0.1:2), with ' + found);
`;
/** What it builds in place of the console. */
const CONSOLE = `import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('dist', { recursive: true });
writeFileSync('dist/index.html', '');
`;
const STORE = `export const found: string = require('chdb').library;
`;

/**
 * Makes a clone with the programs of `npm start` and packages that are tiny, so that its first start takes a second. The registry gets the
 * packages. pnpm is the one that installed this repository.
 * @param home home folder of the user who starts it
 */
export function makeSmallClone(clone: string, home: string, registry: RegistryStub, paddingBytes = 0): void {
  mkdirSync(clone, { recursive: true });
  copySources(clone, ['libs/tooling/run', 'libs/tooling/package.json', '.npmrc']);
  const { packageManager, engines } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    readonly packageManager: string;
    readonly engines: object;
  };
  const write = (path: string, content: string | object) => {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    writeFileSync(join(clone, path), typeof content === 'string' ? content : JSON.stringify(content));
  };
  const root = {
    dependencies: { '@assay/cli': 'workspace:*', '@swc/core': VERSION },
    devDependencies: { [TOOL]: VERSION },
  };
  write('package.json', { name: 'assay', private: true, packageManager, engines, ...root });
  write('pnpm-workspace.yaml', 'packages: [libs/event-store, services/*, deploy/*]\n');
  write('tsconfig.build.json', {});
  write('libs/contracts/src/api/empty/empty.ts', 'export {};\n');
  write('libs/domain/src/empty.ts', 'export {};\n');
  const store = { name: '@assay/event-store', main: 'dist/index.js', dependencies: { chdb: VERSION } };
  write('libs/event-store/package.json', store);
  write('libs/event-store/src/index.ts', STORE);
  const product = { '@assay/event-store': 'workspace:*' };
  write('deploy/standalone/package.json', { name: '@assay/standalone', dependencies: product });
  write('deploy/standalone/src/main.ts', MAIN);
  for (const name of ['libs/event-store', 'deploy/standalone']) write(`${name}/tsconfig.json`, {});
  write('services/cli/package.json', { name: '@assay/cli' });
  write('services/console/package.json', { name: '@assay/console' });
  write('services/console/build.mjs', CONSOLE);
  write('pnpm-lock.yaml', lockFile(registry, paddingBytes));

  const cache = '.cache/assay-engines';
  const [, version, sha512 = ''] = /^pnpm@([\d.]+)\+sha512\.(.+)$/.exec(packageManager) ?? [];
  const name = `pnpm-${version}-${sha512.slice(0, 16)}`;
  mkdirSync(join(home, cache), { recursive: true });
  symlinkSync(join(homedir(), cache, name), join(home, cache, name));
}

function lockFile(registry: RegistryStub, paddingBytes: number): string {
  const swc = join(repository, 'node_modules/@swc/core');
  const add = (name: string, main: string, more = {}) =>
    registry.add({ name, version: VERSION, main, ...more });
  const manifest = { optionalDependencies: { [LIBRARY]: VERSION } };
  const hashes = {
    [LIBRARY]: add(LIBRARY, "module.exports = 'its library';", { paddingBytes }),
    '@swc/core': add('@swc/core', `module.exports = require(${JSON.stringify(swc)});`),
    [TOOL]: add(TOOL, ''),
    chdb: add('chdb', `exports.library = require('${LIBRARY}');`, { manifest }),
  };
  const packages = Object.entries(hashes).map(
    ([name, integrity]) => `  '${name}@${VERSION}':\n    resolution: {integrity: ${integrity}}\n`,
  );
  const link = (name: string, path: string) =>
    `      '${name}':\n        specifier: workspace:*\n        version: link:${path}`;
  const pinned = (name: string) =>
    `      '${name}':\n        specifier: ${VERSION}\n        version: ${VERSION}`;
  return `lockfileVersion: '9.0'

settings:
  autoInstallPeers: true
  excludeLinksFromLockfile: false

importers:

  .:
    dependencies:
${link('@assay/cli', 'services/cli')}
${pinned('@swc/core')}
    devDependencies:
${pinned(TOOL)}

  deploy/standalone:
    dependencies:
${link('@assay/event-store', '../../libs/event-store')}

  libs/event-store:
    dependencies:
${pinned('chdb')}

  services/cli: {}

  services/console: {}

packages:

${packages.join('\n')}
snapshots:

  '${LIBRARY}@${VERSION}':
    optional: true

  '@swc/core@${VERSION}': {}

  '${TOOL}@${VERSION}': {}

  'chdb@${VERSION}':
    optionalDependencies:
      '${LIBRARY}': ${VERSION}
`;
}
