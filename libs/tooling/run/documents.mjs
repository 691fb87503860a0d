// Writes the documents that are generated from code; with `--check` only compares, and fails when one is out of date.
import { readFileSync, writeFileSync, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chartDocument } from './chart-document.mjs';
import { checkedLibraries } from './checked-libraries.mjs';
import { root } from './install.mjs';

const load = (path) => createRequire(import.meta.url)(`${root}/${path}`);
const { configTable } = load('libs/runtime/dist/index.js');
const { routesDocument } = load('libs/contracts/dist/index.js');
const { mappingDocument } = load('libs/otlp/dist/index.js');
const { templatesDocument } = load('libs/templates/dist/generate/templates-document.js');

const processes = [
  ['The single process', '`npm start`', load('deploy/standalone/dist/config.js').standaloneSettings],
  ['Ingestion', '`services/ingestion`', load('services/ingestion/dist/config.js').ingestionSettings],
  ['Data plane', '`services/data-plane`', load('services/data-plane/dist/config.js').dataPlaneSettings],
  ['Evaluator', '`services/evaluator`', load('services/evaluator/dist/config.js').evaluatorSettings],
  [
    'Control plane',
    '`services/control-plane`',
    load('services/control-plane/dist/config.js').controlPlaneServiceSettings,
  ],
];

function configurationDocument() {
  const intro = [
    '# Configuration',
    '',
    'Settings come from the environment. A secret may also come from a file: set the name with `_FILE` to its path. All mistakes are listed together and stop',
    'the start with exit code 78; an unknown name that starts with `ASSAY_` counts as one. This page is generated from the declarations in the code.',
  ].join('\n');
  const sections = processes.map(
    ([name, where, settings]) => `## ${name}\n\n${where}\n\n${configTable(settings)}`,
  );
  return [intro, ...sections].join('\n\n') + '\n';
}

const documents = {
  'docs/configuration.md': configurationDocument(),
  'docs/mapping.md': mappingDocument(checkedLibraries()),
  'docs/routes.md': routesDocument(),
  'docs/templates.md': templatesDocument(),
  'helm/README.md': chartDocument(`${root}/helm/values.yaml`),
};
const check = process.argv.includes('--check');
let stale = 0;
for (const [path, text] of Object.entries(documents)) {
  const file = `${root}/${path}`;
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  if (!check) writeFileSync(file, text);
  else {
    stale++;
    process.stderr.write(`${path} is out of date: run \`npm run docs\`\n`);
  }
}
process.exit(stale === 0 ? 0 : 1);
