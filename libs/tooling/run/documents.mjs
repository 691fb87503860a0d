// Writes the documents that are generated from code; with `--check` only compares, and fails when one is out of date.
import { readFileSync, writeFileSync, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { wrapMarkdown } from '../prose/markdown-lines.mjs';
import { chartDocument } from './chart-document.mjs';
import { checkedLibraries } from './checked-libraries.mjs';
import { configurationDocument } from './configuration-document.mjs';
import { root } from './install.mjs';

const load = (path) => createRequire(import.meta.url)(`${root}/${path}`);
const { routesDocument } = load('libs/contracts/dist/index.js');
const { mappingDocument } = load('libs/otlp/dist/index.js');
const { templatesDocument } = load('libs/templates/dist/generate/templates-document.js');

const documents = {
  'docs/configuration.md': configurationDocument(),
  'docs/mapping.md': mappingDocument(checkedLibraries()),
  'docs/routes.md': routesDocument(),
  'docs/templates.md': templatesDocument(),
  'helm/README.md': chartDocument(`${root}/helm/values.yaml`),
};
const check = process.argv.includes('--check');
let stale = 0;
for (const [path, generated] of Object.entries(documents)) {
  const text = wrapMarkdown(generated);
  const file = `${root}/${path}`;
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  if (!check) writeFileSync(file, text);
  else {
    stale++;
    process.stderr.write(`${path} is out of date: run \`npm run docs\`\n`);
  }
}
process.exit(stale === 0 ? 0 : 1);
