import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { GO_BUILD } from '../../harness/engines/go-build.js';
import { repository } from '../../harness/stack/repository.js';
import { cachedFolder } from './cached-folder.js';

const FOLDER = join(repository, 'test/instrumentations');
const run = (file: string, args: readonly string[], cwd: string, environment = {}) =>
  promisify(execFile)(file, args, {
    cwd,
    env: { ...process.env, ...environment },
    maxBuffer: 32 * 1024 * 1024,
  });

/** A program of ours, written in the language of the client. */
export function clientProgram(path: string): string {
  return join(FOLDER, path);
}

/** The files `python/<name>.txt`. */
export type PythonPackages =
  | 'agents'
  | 'frameworks'
  | 'instrumentations'
  | 'kubernetes-schemas'
  | 'public-client'
  | 'public-client-0-2'
  | 'voice';

/** A Python interpreter with exactly the packages of `python/<name>.txt`. */
export async function pythonWith(name: PythonPackages): Promise<string> {
  const requirements = join(FOLDER, `python/${name}.txt`);
  const installer = await pythonInstaller();
  const folder = await cachedFolder(`python-${name}`, [requirements], async (empty) => {
    const started = Date.now();
    await run('python3', ['-m', 'venv', 'venv'], empty);
    const options = ['--quiet', '--no-deps', '--python', 'venv/bin/python', '--requirement', requirements];
    await run(installer, ['pip', 'install', ...options], empty);
    process.stderr.write(`Installed python/${name}.txt in ${Math.round((Date.now() - started) / 1000)} s\n`);
  });
  return join(folder, 'venv/bin/python');
}

async function pythonInstaller(): Promise<string> {
  const requirements = join(FOLDER, 'python/installer.txt');
  const folder = await cachedFolder('python-installer', [requirements], async (empty) => {
    await run('python3', ['-m', 'venv', 'venv'], empty);
    const options = ['--quiet', '--no-deps', '--requirement', requirements];
    await run('venv/bin/python', ['-m', 'pip', 'install', ...options], empty);
  });
  return join(folder, 'venv/bin/uv');
}

/** Options of `pip install` for the libraries of metrics. */
export const installMetricLibraries = ['--no-cache-dir', '--require-hashes', '--only-binary=:all:'];

/** A Python interpreter with the libraries of PYTHON metrics, installed as the image of the evaluator installs them. */
export async function pythonOfMetrics(): Promise<string> {
  const requirements = join(repository, 'libs/python-runner/requirements.txt');
  const folder = await cachedFolder('python-metrics', [requirements], async (empty) => {
    await run('python3', ['-m', 'venv', 'venv'], empty);
    const options = ['--quiet', ...installMetricLibraries, '--requirement', requirements];
    await run('venv/bin/python', ['-m', 'pip', 'install', ...options], empty);
  });
  return join(folder, 'venv/bin/python3');
}

/** A folder with the npm packages of `node/package-lock.json`; a program finds them when it is in there. */
export async function nodeFolder(): Promise<string> {
  const files = ['package.json', 'package-lock.json'].map((name) => join(FOLDER, 'node', name));
  return cachedFolder('node-clients', files, async (empty) => {
    for (const file of files) copyFileSync(file, join(empty, basename(file)));
    // Some name a newer Node than the oldest one of Assay, on which they run.
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--engine-strict=false'];
    await run('npm', ['ci', ...options], empty);
  });
}

/** An OpenTelemetry Collector with the parts of `collector/builder.yaml`, made by the builder of the same version. */
export async function collectorBinary(): Promise<string> {
  const manifest = join(FOLDER, 'collector/builder.yaml');
  const [version] = /v\d+\.\d+\.\d+/.exec(readFileSync(manifest, 'utf8')) ?? [];
  const folder = await cachedFolder('collector', [manifest], async (empty) => {
    copyFileSync(manifest, join(empty, 'builder.yaml'));
    await run(
      'go',
      ['run', `go.opentelemetry.io/collector/cmd/builder@${version}`, '--config', 'builder.yaml'],
      empty,
      GO_BUILD,
    );
  });
  return join(folder, 'collector/assay-test-collector');
}
