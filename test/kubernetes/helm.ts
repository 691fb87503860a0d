import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { kubernetesProgram } from '../harness/engines/kubernetes/programs.js';
import { repository } from '../harness/stack/repository.js';

export const CHART = join(repository, 'helm');
/** A built helm reports the oldest version that its library supports, so the version is always given. */
const KUBERNETES = '1.34.0';

/** A Kubernetes object of the rendered chart. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: Record<string, unknown>;
}

/** The output of a command, and whether it succeeded. */
export interface Outcome {
  readonly ok: boolean;
  readonly output: string;
  /** The part of the output that went to standard error: warnings, and what is wrong. */
  readonly errors: string;
}

/** Runs helm. The first call builds it from the Go module proxy, in some minutes, into a cache in the home folder. */
export async function helm(...args: string[]): Promise<Outcome> {
  const file = await kubernetesProgram('helm');
  try {
    const { stdout, stderr } = await promisify(execFile)(file, args, { maxBuffer: 64 << 20 });
    return { ok: true, output: stdout + stderr, errors: stderr };
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    const errors = stderr ?? String(error);
    return { ok: false, output: `${stdout ?? ''}${errors}`, errors };
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

export function asArguments(values: object): string[] {
  return Object.entries(values).flatMap(([name, value]) => [
    '--set-json',
    `${name}=${JSON.stringify(value)}`,
  ]);
}
