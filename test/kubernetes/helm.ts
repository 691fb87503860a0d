import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { repository } from '../harness/stack/repository.js';

const SOURCE_FOLDER = join(__dirname, 'helm');
const CHART = join(repository, 'helm');
/** A built helm reports the oldest version that its library supports, so the version is always given. */
const KUBERNETES = '1.34.0';

/** A Kubernetes object of the rendered chart. */
export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: Record<string, unknown>;
}

/** The output of a command, and whether it succeeded. */
export interface Outcome {
  readonly ok: boolean;
  readonly output: string;
}

/** Runs helm. The first call builds it from the Go module proxy, in some minutes, into a cache in the home folder. */
export async function helm(...args: string[]): Promise<Outcome> {
  try {
    const { stdout, stderr } = await promisify(execFile)(await builtHelm(), args, { maxBuffer: 64 << 20 });
    return { ok: true, output: stdout + stderr };
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    return { ok: false, output: `${stdout ?? ''}${stderr ?? String(error)}` };
  }
}

/** Renders the chart with the values as JSON. */
export function template(values: object, release = 'assay'): Promise<Outcome> {
  const options = ['--kube-version', KUBERNETES, '--namespace', 'tracing'];
  return helm('template', release, CHART, ...options, ...asArguments(values));
}

/** @throws Error with helm's message when the values are refused */
export async function render(values: object, release?: string): Promise<Manifest[]> {
  const { ok, output } = await template(values, release);
  if (!ok) throw new Error(output);
  return parseAllDocuments(output)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

export function lint(values: object): Promise<Outcome> {
  return helm('lint', '--strict', '--kube-version', KUBERNETES, CHART, ...asArguments(values));
}

function asArguments(values: object): string[] {
  return Object.entries(values).flatMap(([name, value]) => [
    '--set-json',
    `${name}=${JSON.stringify(value)}`,
  ]);
}

async function builtHelm(): Promise<string> {
  const sources = ['go.mod', 'go.sum', 'tools.go'].map((name) => readFileSync(join(SOURCE_FOLDER, name)));
  const hash = createHash('sha256').update(Buffer.concat(sources)).digest('hex').slice(0, 16);
  const folder = join(homedir(), '.cache', 'assay-engines', `helm-${hash}`);
  const binary = join(folder, 'helm');
  if (existsSync(binary)) return binary;
  mkdirSync(folder, { recursive: true });
  const unfinished = join(folder, `building-${process.pid}`);
  const args = ['build', '-buildvcs=false', '-o', unfinished, 'helm.sh/helm/v3/cmd/helm'];
  await promisify(execFile)('go', args, { cwd: SOURCE_FOLDER, maxBuffer: 16 << 20 });
  renameSync(unfinished, binary);
  return binary;
}
