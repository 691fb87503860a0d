import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../harness/stack/repository.js';
import { MINIMAL } from './chart-values.js';
import { render, template } from './helm.js';

const RENDERS_MS = 600_000;
const COMPONENTS = ['ingestion', 'query', 'readers', 'evaluator', 'controlPlane'];

/** Values of pods with a wrong type or form, and the path that the refusal names. */
const WRONG_PODS: readonly (readonly [value: object, path: string])[] = [
  [{ affinity: [] }, 'affinity'],
  [{ topologySpreadConstraints: [{ maxSkew: 0 }] }, 'topologySpreadConstraints/0/maxSkew'],
  [{ priorityClassName: 5 }, 'priorityClassName'],
  [{ nodeSelector: { pool: 1 } }, 'nodeSelector/pool'],
  [{ tolerations: { key: 'a' } }, 'tolerations'],
  [{ podAnnotations: { note: true } }, 'podAnnotations/note'],
  [{ podLabels: ['a'] }, 'podLabels'],
  [{ extraEnv: [{ name: 'A', value: 5 }] }, 'extraEnv/0/value'],
  [{ envFrom: [{ secretRef: 'a' }] }, 'envFrom/0/secretRef'],
  [{ extraVolumes: [{ name: 'a', emptyDir: 'b' }] }, 'extraVolumes/0/emptyDir'],
  [{ extraVolumeMounts: [{ name: 'a', mountPath: 'relative' }] }, 'extraVolumeMounts/0/mountPath'],
  [{ extraContainers: [{ name: 'a', image: 1 }] }, 'extraContainers/0/image'],
  [{ initContainers: { name: 'a' } }, 'initContainers'],
  [{ podSecurityContext: { runAsUser: '0' } }, 'podSecurityContext/runAsUser'],
  [{ securityContext: { privileged: 'no' } }, 'securityContext/privileged'],
  [{ probes: { liveness: { periodSeconds: 0 } } }, 'probes/liveness/periodSeconds'],
];

const WRONG_CONSOLE = { enabled: 'yes', identityHeader: 'a b' };
const WRONG: readonly (readonly [value: object, path: string])[] = [
  [{ global: { imageRegistry: 1 } }, 'global/imageRegistry'],
  [{ nameOverride: 'A' }, 'nameOverride'],
  [{ fullnameOverride: `a${'b'.repeat(40)}` }, 'fullnameOverride'],
  [{ commonLabels: { a: 1 } }, 'commonLabels/a'],
  [{ image: { repository: 5 } }, 'image/repository'],
  [{ console: WRONG_CONSOLE }, 'console/enabled'],
  [{ console: WRONG_CONSOLE }, 'console/identityHeader'],
  [{ serviceAccount: { create: 'no' } }, 'serviceAccount/create'],
  [{ ingestion: { service: { type: 'Public' } } }, 'ingestion/service/type'],
  [{ query: { image: { digest: 'sha256:abc' } } }, 'query/image/digest'],
  [{ controlPlane: { autoscaling: { enabled: 1 } } }, 'controlPlane/autoscaling/enabled'],
  [{ migrations: { resources: [], serviceAccount: { name: 1 } } }, 'migrations/resources'],
  [{ ingress: { hosts: ['a.example.com'] } }, 'ingress/hosts/0'],
  [{ httpRoute: { parentRefs: [{ name: 1 }] } }, 'httpRoute/parentRefs/0/name'],
  [{ grpcRoute: { hostnames: 'a' } }, 'grpcRoute/hostnames'],
  [{ networkPolicy: { clientNetworks: ['10.0.0.1'] } }, 'networkPolicy/clientNetworks/0'],
  [{ monitoring: { interval: 15, rulesLabels: [] } }, 'monitoring/interval'],
  [{ extraObjects: [1] }, 'extraObjects/0'],
  [{ podUser: 0 }, 'podUser'],
];

/** Helm reports all of what its schema refuses. */
async function refusedPaths(values: object): Promise<readonly string[]> {
  const { ok, output } = await template(values);
  expect(ok).toBe(false);
  return [...output.matchAll(/at '\/([^']*)'/g)].map(([, path]) => path!);
}
const together = (values: readonly (readonly [object, string])[]) =>
  Object.assign({}, ...values.map(([value]) => value)) as object;

describe('values of a wrong type', () => {
  it(
    'are refused with their path, among those of all pods and of each component',
    async () => {
      const wrong = together(WRONG_PODS);
      const components = Object.fromEntries(COMPONENTS.map((component) => [component, wrong]));
      const paths = await refusedPaths({ ...MINIMAL, ...wrong, ...components });
      const wanted = ['', ...COMPONENTS.map((component) => `${component}/`)].flatMap((prefix) =>
        WRONG_PODS.map(([, path]) => `${prefix}${path}`),
      );
      expect(paths).toEqual(expect.arrayContaining(wanted));
    },
    RENDERS_MS,
  );

  it(
    'are refused with their path, among those of the migrations',
    async () => {
      const {
        topologySpreadConstraints: _,
        probes: _probes,
        ...wrong
      } = together(WRONG_PODS) as {
        topologySpreadConstraints: object;
        probes: object;
      };
      const paths = await refusedPaths({ ...MINIMAL, migrations: wrong });
      const wanted = WRONG_PODS.map(([, path]) => path).filter((path) => !/^(topology|probes)/.test(path));
      expect(paths).toEqual(expect.arrayContaining(wanted.map((path) => `migrations/${path}`)));
      const absent = await template({ ...MINIMAL, migrations: { probes: {} } });
      expect(absent.output).toContain("additional properties 'probes' not allowed");
    },
    RENDERS_MS,
  );

  it(
    'are refused with their path, among those of the release',
    async () => {
      const paths = await refusedPaths({ ...MINIMAL, ...together(WRONG) });
      expect(paths).toEqual(expect.arrayContaining(WRONG.map(([, path]) => path)));
    },
    RENDERS_MS,
  );
});

describe('secrets in settings', () => {
  const settings = [
    ...readFileSync(join(repository, 'docs/configuration.md'), 'utf8').matchAll(
      /^- `([A-Z0-9_]+)`(?:, `[A-Z0-9_]+_FILE`)? \(([^;]+);/gm,
    ),
  ].map(([, name, kind]) => ({ name: name!, secret: kind === 'secret' }));
  const SENTENCE = 'because a release keeps its values in clear text';

  it.each([...new Set(settings.filter(({ secret }) => secret).map(({ name }) => name))])(
    'are refused by name, and not repeated: %s',
    async (name) => {
      const { ok, output } = await template({ ...MINIMAL, query: { env: { [name]: 'hidden-text' } } });
      expect(ok).toBe(false);
      expect(output).toContain(`query.env must not contain the secret ${name}, ${SENTENCE}`);
      expect(output).not.toContain('hidden-text');
    },
  );

  it('are refused in `extraEnv`, also in the user part of an address', async () => {
    const [URL, VALUE] = ['UPSTREAM', 'https://user:hidden-text@example.com'];
    const cases: readonly (readonly [object, string])[] = [
      [{ extraEnv: [{ name: 'ASSAY_ADMIN_TOKEN', value: 'hidden-text' }] }, 'extraEnv must'],
      [{ extraEnv: [{ name: URL, value: VALUE }] }, `extraEnv must not contain the secret ${URL}`],
      [{ readers: { extraEnv: [{ name: 'A_KEY', value: 'hidden-text' }] } }, 'readers.extraEnv must'],
      [{ controlPlane: { env: { [URL]: VALUE } } }, 'controlPlane.env must'],
      [{ migrations: { env: { CLICKHOUSE_PASSWORD: 'hidden-text' } } }, 'migrations.env must'],
    ];
    for (const [values, sentence] of cases) {
      const { ok, output } = await template({ ...MINIMAL, ...values });
      expect([ok, output]).toEqual([false, expect.stringContaining(sentence)]);
      expect(output).not.toContain('hidden-text');
    }
  });

  it('leave every other setting, and a reference, as they are', async () => {
    const env = Object.fromEntries(
      settings.filter(({ secret }) => !secret).map(({ name }) => [name, 'https://example.com:443/a@b']),
    );
    expect(Object.keys(env).length).toBeGreaterThan(50);
    const reference = { name: 'CLICKHOUSE_PASSWORD', valueFrom: { secretKeyRef: { name: 'a', key: 'b' } } };
    expect(await render({ ...MINIMAL, query: { env, extraEnv: [reference] } })).not.toEqual([]);
  });
});

describe('values that contradict each other', () => {
  const loadBalancer = { service: { type: 'LoadBalancer' } };
  it.each<[string, object, string]>([
    [
      'more readers than partitions',
      { readers: { replicas: 13 } },
      'readers.replicas is larger than kafka.partitions',
    ],
    [
      'more readers at most than partitions',
      { kafka: { ...MINIMAL.kafka, partitions: 6 }, readers: { keda: { enabled: true } } },
      'readers.keda.maxReplicas is larger than kafka.partitions',
    ],
    [
      'a ServiceMonitor that the policy shuts out',
      { monitoring: { serviceMonitor: true } },
      'monitoring.serviceMonitor needs networkPolicy.monitoringNamespace',
    ],
    [
      'a published Service that the policy shuts out',
      { controlPlane: loadBalancer },
      'controlPlane.service.type LoadBalancer needs networkPolicy.clientNetworks',
    ],
    [
      'a label of the chart as a common label',
      { commonLabels: { 'app.kubernetes.io/instance': 'a' } },
      'commonLabels must not contain app.kubernetes.io/instance',
    ],
    [
      'a label of the chart of the pods of a component',
      { query: { podLabels: { 'app.kubernetes.io/component': 'a' } } },
      'podLabels must not contain app.kubernetes.io/component',
    ],
    ['a route without a Gateway', { httpRoute: { enabled: true } }, 'httpRoute.parentRefs is required'],
    [
      'a route of gRPC without gRPC',
      { grpcRoute: { enabled: true, parentRefs: [{ name: 'a' }] }, ingestion: { otlpGrpc: false } },
      'grpcRoute.enabled needs dataPlane.enabled and ingestion.otlpGrpc',
    ],
    [
      'one host twice',
      { ingress: { enabled: true, host: 'a.example.com', hosts: [{ host: 'a.example.com' }] } },
      'ingress names the host a.example.com twice',
    ],
    [
      'one ServiceAccount for pods and the Job',
      { serviceAccount: { name: 'a' }, migrations: { serviceAccount: { name: 'a' } } },
      'migrations.serviceAccount.name must differ',
    ],
  ])('are refused with a sentence: %s', async (_case, values, sentence) => {
    const { ok, errors } = await template({ ...MINIMAL, ...values });
    expect([ok, errors]).toEqual([false, expect.stringContaining(sentence)]);
  });

  it('are accepted at their limit', async () => {
    const manifests = await render({ ...MINIMAL, readers: { replicas: 12 } });
    const readers = manifests.find(
      ({ kind, metadata }) => kind === 'Deployment' && /readers$/.test(metadata.name),
    );
    expect(readers?.spec).toMatchObject({ replicas: 12 });
  });
});
