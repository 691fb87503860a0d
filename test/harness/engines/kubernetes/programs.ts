import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../../stack/repository.js';

const BUILD = join(repository, 'test/harness/engines/kubernetes/build.sh');
/** A first build of the API server on two busy cores takes half of it. */
const BUILD_WITHIN_MS = 2_700_000;

/** Programs, and folders with definitions of custom resources: those that the chart may create, and those of operators. */
export type KubernetesProgram =
  | 'helm'
  | 'kubectl'
  | 'kube-apiserver'
  | 'etcd'
  | 'custom-resources'
  | 'operator-resources';

const built = new Map<KubernetesProgram, Promise<string>>();

/**
 * Returns the path of a program. The first call on a machine compiles it from the Go module proxy, in minutes, into a cache in the home
 * folder. @throws Error with the output of the build
 */
export function kubernetesProgram(name: KubernetesProgram): Promise<string> {
  const path = built.get(name) ?? build(name);
  built.set(name, path);
  return path;
}

async function build(name: KubernetesProgram): Promise<string> {
  const options = { maxBuffer: 16 << 20, timeout: BUILD_WITHIN_MS };
  const { stdout } = await promisify(execFile)(BUILD, [name], options);
  return join(stdout.trim(), name);
}
