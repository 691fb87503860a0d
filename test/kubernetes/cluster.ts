import { waitFor } from '@assay/testing';
import type { ApiResponse } from '../harness/engines/kubernetes/api-client.js';
import type { ApiServer } from '../harness/engines/kubernetes/start-api-server.js';
import { asArguments, CHART, helm, type Manifest, type Outcome } from './helm.js';

const COMMAND_WITHIN_MS = 180_000;
const RESTRICTED = {
  'pod-security.kubernetes.io/enforce': 'restricted',
  'pod-security.kubernetes.io/warn': 'restricted',
  'pod-security.kubernetes.io/audit': 'restricted',
};
const STRICT_DRY_RUN = '?dryRun=All&fieldValidation=Strict';
const NOW = () => new Date().toISOString().replace(/\.\d+/, '');

/** How the Jobs of hooks end. Without controllers nothing runs them, so the test says it. */
export type JobEnd = 'Complete' | 'Failed';

/** An object of the server, as much of it as the tests read. */
export interface StoredObject {
  readonly metadata: { readonly name: string };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: { readonly conditions?: readonly { readonly type: string }[] };
}

/** A namespace, with one release of the chart in it. */
export class ReleaseNamespace {
  /** Sees each Job while it runs, before the test ends it. */
  onRunningJob: (job: StoredObject) => Promise<void> = () => Promise.resolve();

  constructor(
    private readonly server: ApiServer,
    readonly name: string,
  ) {}

  /** Creates a namespace that enforces the pod security standard `restricted`. */
  static async create(server: ApiServer, name: string): Promise<ReleaseNamespace> {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: RESTRICTED } };
    const created = await server.client.call('POST', '/api/v1/namespaces', asYaml(namespace));
    if (created.status !== 201) throw new Error(`namespace refused: ${created.body}`);
    return new ReleaseNamespace(server, name);
  }

  /** Creates a class of priorities, which pods may name. */
  static async addPriorityClass(server: ApiServer, name: string): Promise<void> {
    const priority = {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name },
      value: 1_000,
    };
    const path = '/apis/scheduling.k8s.io/v1/priorityclasses';
    const { status, body } = await server.client.call('POST', path, asYaml(priority));
    if (status !== 201) throw new Error(`PriorityClass refused: ${status} ${body}`);
  }

  /** Sends an object to be judged and not kept; unknown and repeated fields are errors. */
  async judge(
    object: Pick<Manifest, 'apiVersion' | 'kind'>,
    text = JSON.stringify(object),
  ): Promise<ApiResponse> {
    const path = await this.server.client.collection(object.apiVersion, object.kind, this.name);
    return this.server.client.call('POST', `${path}${STRICT_DRY_RUN}`, { type: 'application/yaml', text });
  }

  async list(apiVersion: string, kind: string): Promise<readonly StoredObject[]> {
    const path = await this.server.client.collection(apiVersion, kind, this.name);
    return (await this.server.client.get<{ items: readonly StoredObject[] }>(path)).items;
  }

  install(values: object, jobEnd?: JobEnd): Promise<Outcome> {
    return this.helm(['install', 'assay', CHART, ...asArguments(values)], jobEnd);
  }

  /** Installs the release from another chart. */
  installFrom(chart: string): Promise<Outcome> {
    return this.helm(['install', 'assay', chart]);
  }

  upgrade(values: object): Promise<Outcome> {
    return this.helm(['upgrade', 'assay', CHART, '--reset-values', ...asArguments(values)]);
  }

  rollback(revision: number): Promise<Outcome> {
    return this.helm(['rollback', 'assay', String(revision)]);
  }

  uninstall(): Promise<Outcome> {
    return this.helm(['uninstall', 'assay', '--wait']);
  }

  async create(apiVersion: string, kind: string, content: object): Promise<void> {
    const path = await this.server.client.collection(apiVersion, kind, this.name);
    const { status, body } = await this.server.client.call(
      'POST',
      path,
      asYaml({ apiVersion, kind, ...content }),
    );
    if (status !== 201) throw new Error(`${kind} refused: ${status} ${body}`);
  }

  async scale(deployment: string, replicas: number): Promise<void> {
    const path = `${await this.server.client.collection('apps/v1', 'Deployment', this.name)}/${deployment}`;
    await this.patch(path, { spec: { replicas } });
  }

  /** Ends the Jobs that appear while a command runs: helm waits for those of hooks. */
  async whileJobsEnd<T>(command: Promise<T>, jobEnd: JobEnd = 'Complete'): Promise<T> {
    let ended = false;
    const outcome = command.finally(() => (ended = true));
    // Awaited below; a failure before that is not an unhandled one.
    outcome.catch(() => undefined);
    const endJobs = async () => {
      await this.endJobs(jobEnd);
      return ended;
    };
    await waitFor('the command ends', endJobs, { withinMs: COMMAND_WITHIN_MS, pollIntervalMs: 100 });
    return outcome;
  }

  private helm(args: readonly string[], jobEnd?: JobEnd): Promise<Outcome> {
    const options = ['--namespace', this.name, '--kubeconfig', this.server.kubeconfig];
    return this.whileJobsEnd(helm(...args, ...options), jobEnd);
  }

  private async endJobs(jobEnd: JobEnd): Promise<void> {
    const path = await this.server.client.collection('batch/v1', 'Job', this.name);
    const running = (await this.list('batch/v1', 'Job')).filter(({ status }) => !status?.conditions);
    // The server accepts the last condition only after or together with its reason.
    const types = jobEnd === 'Complete' ? ['SuccessCriteriaMet', 'Complete'] : ['FailureTarget', 'Failed'];
    const conditions = types.map((type) => ({ type, status: 'True', lastTransitionTime: NOW() }));
    const times = { startTime: NOW(), ...(jobEnd === 'Complete' && { completionTime: NOW(), succeeded: 1 }) };
    for (const job of running) {
      await this.onRunningJob(job);
      await this.patch(`${path}/${job.metadata.name}/status`, { status: { conditions, ...times } });
    }
  }

  private async patch(path: string, change: object): Promise<void> {
    const type = 'application/strategic-merge-patch+json';
    const { status, body } = await this.server.client.call('PATCH', path, {
      type,
      text: JSON.stringify(change),
    });
    if (status !== 200) throw new Error(`PATCH ${path}: ${status} ${body}`);
  }
}

function asYaml(object: object) {
  return { type: 'application/yaml', text: JSON.stringify(object) } as const;
}
