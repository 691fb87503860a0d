import { lint, render, template, type Manifest } from './helm.js';
import { MATRIX, MINIMAL } from './chart-values.js';

interface Container {
  readonly image: string;
  readonly resources: Record<'requests' | 'limits', Record<string, string>>;
  readonly securityContext: object;
  readonly startupProbe?: object;
  readonly livenessProbe?: object;
  readonly readinessProbe?: object;
  readonly env: readonly { readonly name: string; readonly value?: unknown; readonly valueFrom?: object }[];
}

interface PodSpec {
  readonly enableServiceLinks: boolean;
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: object;
  readonly containers: readonly Container[];
}

const pods = (manifests: readonly Manifest[]) =>
  manifests
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map(({ kind, metadata, spec }) => ({
      kind,
      name: metadata.name,
      pod: (spec as { template: { spec: PodSpec } }).template.spec,
    }));
const names = (manifests: readonly Manifest[], kind: string) =>
  manifests.filter((manifest) => manifest.kind === kind).map(({ metadata }) => metadata.name);

describe.each(MATRIX)('the chart with %s', (_name, values) => {
  let manifests: Manifest[];
  beforeAll(async () => {
    manifests = await render(values);
  }, 600_000);

  it('passes helm lint --strict', async () => {
    expect(await lint(values)).toMatchObject({ ok: true });
  });

  it('runs every container as pod security `restricted` demands, on a read-only root file system', () => {
    expect(pods(manifests).length).toBeGreaterThan(0);
    for (const { pod } of pods(manifests)) {
      expect(pod).toMatchObject({
        enableServiceLinks: false,
        automountServiceAccountToken: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 65532,
          seccompProfile: { type: 'RuntimeDefault' },
        },
      });
      for (const { securityContext } of pod.containers)
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
    }
  });

  it('states the resources, the version and the probes of every container', () => {
    for (const { kind, pod } of pods(manifests))
      for (const container of pod.containers) {
        expect(container.resources).toMatchObject({
          requests: { cpu: expect.any(String) as string, memory: expect.any(String) as string },
          limits: { memory: expect.any(String) as string },
        });
        expect(container.image).toMatch(/:\d+\.\d+\.\d+$/);
        if (kind === 'Deployment')
          expect(container).toMatchObject({
            startupProbe: expect.anything() as object,
            livenessProbe: expect.anything() as object,
            readinessProbe: expect.anything() as object,
          });
      }
  });

  it('passes secrets by reference, and every value as text', () => {
    const variables = pods(manifests).flatMap(({ pod }) => pod.containers.flatMap(({ env }) => env));
    for (const { name, value, valueFrom } of variables) {
      expect(typeof (valueFrom ?? value)).toBe(valueFrom ? 'object' : 'string');
      if (/TOKEN|PASSWORD|PEPPER|API_KEY|MONGODB_URL/.test(name)) expect(value).toBeUndefined();
    }
    const perContainer = pods(manifests).map(
      ({ pod }) => pod.containers[0]?.env.map(({ name }) => name) ?? [],
    );
    for (const set of perContainer) expect(new Set(set).size).toBe(set.length);
  });

  it('gives each object a name of its own', () => {
    const ids = manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('the chart', () => {
  it('installs what its values ask for', async () => {
    const [, everything] = MATRIX[1]!;
    const all = await render(everything);
    expect(names(all, 'Deployment').sort()).toEqual([
      'assay-control-plane',
      'assay-evaluator',
      'assay-ingestion',
      'assay-query',
      'assay-readers',
    ]);
    expect(names(all, 'HorizontalPodAutoscaler')).toHaveLength(2);
    expect(names(all, 'ScaledObject')).toEqual(['assay-readers']);
    expect(names(all, 'ServiceMonitor')).toHaveLength(1);
    expect(names(all, 'PrometheusRule')).toHaveLength(1);
    expect(names(all, 'Ingress')).toHaveLength(1);
    const scaled = all.filter(({ metadata }) => /-(ingestion|query|readers)$/.test(metadata.name));
    for (const { spec } of scaled.filter(({ kind }) => kind === 'Deployment'))
      expect(spec).not.toHaveProperty('replicas');

    const [, none] = MATRIX[5]!;
    const few = await render(none);
    for (const kind of ['NetworkPolicy', 'PodDisruptionBudget', 'Job', 'Ingress'])
      expect(names(few, kind)).toEqual([]);

    const [, controlPlane] = MATRIX[3]!;
    expect(names(await render(controlPlane), 'Deployment')).toEqual(['assay-control-plane']);
  });

  it('opens the port of OTLP over gRPC on ingestion alone, unless it is off', async () => {
    const openOf = (manifests: readonly Manifest[]) =>
      manifests
        .filter((manifest) => JSON.stringify(manifest.spec).includes('"grpc"'))
        .map(({ kind, metadata }) => `${kind}/${metadata.name}`)
        .sort();
    expect(openOf(await render(MINIMAL))).toEqual([
      'Deployment/assay-ingestion',
      'NetworkPolicy/assay-ingestion',
      'Service/assay-ingestion',
    ]);
    const off = await render({ ...MINIMAL, ingestion: { otlpGrpc: false } });
    expect(openOf(off)).toEqual([]);
    const ingestion = pods(off).find(({ name }) => name === 'assay-ingestion');
    expect(ingestion?.pod.containers[0]?.env).toContainEqual({ name: 'ASSAY_OTLP_GRPC_PORT', value: '0' });
  });

  it.each<[string, object, string]>([
    ['no broker', { ...MINIMAL, kafka: {} }, 'kafka.brokers is required'],
    ['no ClickHouse', { ...MINIMAL, clickhouse: {} }, 'clickhouse.url is required'],
    ['no MongoDB', { ...MINIMAL, mongodb: {} }, 'mongodb.urlSecret is required'],
    [
      'a control plane nowhere',
      { ...MINIMAL, controlPlane: { enabled: false } },
      'controlPlane.url is required',
    ],
    [
      'a Secret without a key',
      { ...MINIMAL, mongodb: { urlSecret: { name: 'm' } } },
      'MONGODB_URL needs a key',
    ],
    ['text for a number', { ...MINIMAL, query: { replicas: 'two' } }, 'got string, want integer'],
    [
      'an unknown value',
      { ...MINIMAL, redactValue: true },
      "additional properties 'redactValue' not allowed",
    ],
    ['a broker without a port', { ...MINIMAL, kafka: { brokers: ['kafka'] } }, 'kafka/brokers/0'],
    ['TLS without a host', { ...MINIMAL, ingress: { enabled: true } }, 'ingress.host is required'],
    [
      'SASL without a password',
      { ...MINIMAL, kafka: { ...MINIMAL.kafka, sasl: { mechanism: 'plain', username: 'u' } } },
      'kafka.sasl.passwordSecret is required',
    ],
  ])('refuses %s with a sentence', async (_case, values, sentence) => {
    const { ok, output } = await template(values);
    expect(ok).toBe(false);
    expect(output).toContain(sentence);
  });
});
