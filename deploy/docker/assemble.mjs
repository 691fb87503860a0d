// Usage: node deploy/docker/assemble.mjs OUT [NAME...]
// Writes a folder per program to OUT, with compiled code, its production dependencies, `console` where it is served, and `sbom.cdx.json`
// (CycloneDX): all that an image needs besides Node. Run by the Dockerfile. Installs and compiles the workspace first.
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync, existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { mergeComponents } from './merge-components.mjs';
import { metricLibraries } from './metric-libraries.mjs';
import { buildIfNeeded } from '../../libs/tooling/run/build.mjs';
import { engineFolder } from '../../libs/tooling/run/engine-package.mjs';
import { installIfNeeded, pnpm, root } from '../../libs/tooling/run/install.mjs';
import { installWithEngine } from '../../libs/tooling/run/install-engine.mjs';
import { ENGINE_PACKAGES, platformName } from '../../libs/tooling/run/platform.mjs';
import { orRefuse } from '../../libs/tooling/run/steps.mjs';

/** Workspace folder of each program. Only the single process contains the embedded engine. */
const programs = {
  ingestion: 'services/ingestion',
  'data-plane': 'services/data-plane',
  evaluator: 'services/evaluator',
  'control-plane': 'services/control-plane',
  standalone: 'deploy/standalone',
};
/** The command line, which every image contains. */
const commandLine = 'services/cli';
/** Programs that serve the console: its built files, in `console`, and none of its packages. */
const consoleServers = ['data-plane', 'control-plane', 'standalone'];
const embeddedEngine = ['chdb', '@chdb'];
/** What pnpm leaves in `node_modules`. */
const leftovers = ['../pnpm-lock.yaml', '.modules.yaml', '.pnpm', '.pnpm-workspace-state-v1.json', '.bin'];
const developmentFiles = ['src', 'test', 'tsconfig.json', 'tsconfig.tsbuildinfo'];
const deployOptions = [
  // Copies of the workspace's packages, in the versions of the lock file.
  '--config.inject-workspace-packages=true',
  // A flat `node_modules`, which `npm sbom` can read and which needs no links outside of the folder.
  '--config.node-linker=hoisted',
  '--config.prefer-offline=true',
];

const [, , out, ...names] = process.argv;
if (!out) fail('usage: node deploy/docker/assemble.mjs OUT [NAME...]');
for (const name of names) if (!(name in programs)) fail(`unknown program, one of: ${Object.keys(programs)}`);

const wanted = names.length > 0 ? names : Object.keys(programs);
await orRefuse(() => (wanted.includes('standalone') ? installWithEngine() : installIfNeeded()));
const status = await buildIfNeeded();
if (status !== 0) process.exit(status);
const pnpmProgram = await orRefuse(() => pnpm());
mkdirSync(out, { recursive: true });
for (const name of wanted) assemble(name, resolve(out, name));

function assemble(name, folder) {
  rmSync(folder, { recursive: true, force: true });
  deploy(programs[name], folder);
  const packages = [folder, ...ownPackages(folder)];
  for (const path of packages) prune(path, name === 'standalone' ? [] : embeddedEngine);
  if (name === 'standalone') copyEngine(folder);
  else embeddedEngine.forEach((entry) => remove(join(folder, 'node_modules', entry)));
  for (const leftover of leftovers) remove(join(folder, 'node_modules', leftover));
  if (consoleServers.includes(name)) copyConsole(folder);
  const ofProgram = componentsOf(folder);
  const ofCommandLine = addCommandLine(folder);
  const ofAssay = mergeComponents(ofProgram, ofCommandLine);
  const sbom = name === 'evaluator' ? mergeComponents(ofAssay, ofMetrics()) : ofAssay;
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`);
}

function copyConsole(folder) {
  const built = join(root, 'services/console/dist');
  if (!existsSync(join(built, 'index.html'))) fail('the console is not built');
  cpSync(built, join(folder, 'console'), { recursive: true });
}

/** The native library of a platform that the lock file does not have. */
function copyEngine(folder) {
  const library = ENGINE_PACKAGES[platformName()];
  const target = join(folder, 'node_modules', library);
  if (existsSync(target)) return;
  cpSync(engineFolder(root, library), target, { recursive: true, dereference: true });
}

function componentsOf(folder) {
  return JSON.parse(run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'], folder));
}

/** The Python libraries that the Dockerfile adds to the image. */
function ofMetrics() {
  return metricLibraries(readFileSync(join(root, 'libs/python-runner/requirements.txt'), 'utf8'));
}

/** Copies a package with its production dependencies. */
function deploy(path, folder) {
  const filter = ['--filter', `./${path}`];
  run(process.execPath, [pnpmProgram, ...deployOptions, ...filter, 'deploy', '--prod', folder], root);
}

/** Adds the command `assay`: the package in `cli`, and `bin/assay`, which the image has on its PATH. Returns its components. */
function addCommandLine(program) {
  const folder = join(program, 'cli');
  deploy(commandLine, folder);
  for (const path of [folder, ...ownPackages(folder)]) prune(path, []);
  for (const leftover of leftovers) remove(join(folder, 'node_modules', leftover));
  const components = componentsOf(folder);
  mkdirSync(join(program, 'bin'), { recursive: true });
  const script = '#!/bin/sh\nexec node "$(dirname "$0")/../cli/bin/assay.cjs" "$@"\n';
  writeFileSync(join(program, 'bin', 'assay'), script, { mode: 0o755 });
  return components;
}

function ownPackages(folder) {
  const scope = join(folder, 'node_modules', '@assay');
  return existsSync(scope) ? readdirSync(scope).map((name) => join(scope, name)) : [];
}

/** Removes what only development needs, and replaces workspace ranges, which npm cannot read, by versions. */
function prune(path, withoutDependencies) {
  for (const entry of developmentFiles) remove(join(path, entry));
  const file = join(path, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  delete manifest.devDependencies;
  const kept = Object.entries(manifest.dependencies ?? {}).filter(
    ([dependency]) => !withoutDependencies.includes(dependency),
  );
  manifest.dependencies = Object.fromEntries(
    kept.map(([dependency, range]) => [
      dependency,
      /^(workspace|file):|@file:/.test(range) ? manifest.version : range,
    ]),
  );
  // A hard link to the workspace's file: writing to it would change that too.
  remove(file);
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}

function remove(path) {
  rmSync(path, { recursive: true, force: true });
}

function run(command, args, cwd) {
  const { status, stdout, error } = spawnSync(command, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) fail(`failed: ${command} ${args.join(' ')}\n${stdout ?? ''}${error ?? ''}`);
  return stdout;
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
