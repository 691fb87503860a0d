// `npm run clean`: removes compiled files, reports and caches. Installed packages stay.
import { readdirSync, rmSync } from 'node:fs';
import { root } from './install.mjs';

const packages = ['libs', 'services', 'deploy'].flatMap((folder) =>
  readdirSync(`${root}/${folder}`).map((name) => `${folder}/${name}`),
);
const generated = [
  ...packages.map((path) => `${path}/dist`),
  'test/dist',
  'reports',
  'coverage',
  'node_modules/.cache',
  'node_modules/.assay-built',
  'node_modules/.assay-console-built',
];
for (const path of generated) rmSync(`${root}/${path}`, { recursive: true, force: true });
