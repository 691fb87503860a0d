// Writes the JavaScript of every package without checking its types, in a fraction of the compiler's time: what `npm start` runs on a clone that
// has no packages of development. The options give what `tsc` gives for libs/tooling/tsconfig.base.json.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

const OPTIONS = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'commonjs', ignoreDynamic: true },
  sourceMaps: true,
  inlineSourcesContent: false,
  swcrc: false,
};
/** Transformations that run at a time, on threads of swc. */
const CONCURRENCY = 16;

/** Returns the number of sources. @throws Error with the first source that is not TypeScript */
export async function stripTypes(root) {
  const { transform } = createRequire(`${root}/package.json`)('@swc/core');
  const packages = packagesOf(root);
  // What the compiler knows of its last run no longer holds: it compiles these packages again.
  for (const folder of packages) rmSync(join(folder, 'dist/.tsbuildinfo'), { force: true });
  const sources = packages.flatMap((folder) =>
    sourcesOf(join(folder, 'src')).map((source) => ({ folder, source })),
  );
  const queue = sources.values();
  const work = async () => {
    for (const { folder, source } of queue) await writeStripped(transform, folder, source);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return sources.length;
}

async function writeStripped(transform, folder, source) {
  const output = join(folder, 'dist', relative(join(folder, 'src'), source).replace(/\.ts$/, '.js'));
  const text = await readFile(source, 'utf8');
  const sourceFileName = relative(dirname(output), source);
  const { code, map } = await transform(text, { ...OPTIONS, filename: source, sourceFileName });
  mkdirSync(dirname(output), { recursive: true });
  const name = output.slice(output.lastIndexOf('/') + 1);
  replaceFile(`${output}.map`, map);
  replaceFile(output, `${code}//# sourceMappingURL=${name}.map\n`);
}

/** A process that loads the file at this moment reads the former content or the new one. */
function replaceFile(path, text) {
  const unfinished = `${path}.new`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, path);
}

function packagesOf(root) {
  return ['libs', 'services', 'deploy'].flatMap((group) =>
    readdirSync(join(root, group))
      .map((name) => join(root, group, name))
      .filter((folder) => existsSync(join(folder, 'tsconfig.json')) && existsSync(join(folder, 'src')))
      // The console runs in browsers and has a build of its own.
      .filter((folder) => !existsSync(join(folder, 'index.html'))),
  );
}

function sourcesOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourcesOf(path);
    return entry.name.endsWith('.ts') && !/\.(test|d)\.ts$/.test(entry.name) ? [path] : [];
  });
}
