// Checks the layers and fences of fences/rules.cjs over the sources of every package, and those of fences/syntax.mjs.
import { spawnSync } from 'node:child_process';
import { readdirSync, existsSync } from 'node:fs';
import { refusedInSources } from '../fences/syntax.mjs';
import { root } from './install.mjs';

const packages = ['libs', 'services', 'deploy'].flatMap((folder) =>
  readdirSync(`${root}/${folder}`).flatMap((name) => [`${folder}/${name}/src`, `${folder}/${name}/test`]),
);
const rooms = [
  'harness',
  'e2e',
  'conformance',
  'chaos',
  'console',
  'bench',
  'overload',
  'fuzz',
  'instrumentations',
  'kubernetes',
].map((name) => `test/${name}`);
const sources = [...packages, ...rooms].filter((path) => existsSync(`${root}/${path}`));
const depcruise = `${root}/node_modules/dependency-cruiser/bin/dependency-cruise.mjs`;
// These programs run apart, with packages of their own.
const foreign = '^test/instrumentations/node/';
const options = ['--config', 'libs/tooling/fences/rules.cjs', '--exclude', foreign];
const { status } = spawnSync(process.execPath, [depcruise, ...options, ...sources], {
  cwd: root,
  stdio: 'inherit',
});
const refused = refusedInSources(root);
for (const line of refused) console.error(line);
process.exit(refused.length > 0 ? 1 : (status ?? 1));
