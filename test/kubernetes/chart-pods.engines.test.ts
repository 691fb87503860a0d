import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MINIMAL, PLATFORM } from './chart-values.js';
import { CHART, helm, asArguments, render, template, type Manifest } from './helm.js';
import { parseAllDocuments } from 'yaml';

const COMPONENTS = ['ingestion', 'query', 'readers', 'evaluator', 'control-plane'];
const RENDERS_MS = 600_000;

interface Container {
  readonly name: string;
  readonly image: string;
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[];
  readonly envFrom?: readonly object[];
  readonly securityContext: object;
  readonly startupProbe?: object;
  readonly livenessProbe?: object;
  readonly readinessProbe?: object;
  readonly volumeMounts: readonly object[];
}

interface Pod {
  readonly metadata: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly securityContext: object;
    readonly volumes: readonly object[];
    readonly tolerations?: readonly object[];
    readonly topologySpreadConstraints?: readonly object[];
    readonly [field: string]: unknown;
  };
}

const named = (manifests: readonly Manifest[], kind: string, name: string) => {
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (!found) throw new Error(`no ${kind} ${name}`);
  return found;
};
const podOf = (manifests: readonly Manifest[], component: string, release = 'llm-tracing'): Pod => {
  const kind = component === 'migrate' ? 'Job' : 'Deployment';
  return (named(manifests, kind, `${release}-${component}`).spec as { template: Pod }).template;
};
const selectorsOf = (manifests: readonly Manifest[]) =>
  manifests
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ metadata, spec }) => [metadata.name, (spec as { selector: object }).selector] as const);

describe('the pods of the chart', () => {
  let platform: Manifest[];
  beforeAll(async () => {
    platform = await render(PLATFORM);
  }, RENDERS_MS);

  it('have the names and labels of the values, and selectors without them', () => {
    const ownLabels = { 'cost-center': '4711', owner: 'platform' };
    const objects = platform.filter(({ metadata }) => !metadata.name.includes('extra'));
    for (const { metadata } of objects) {
      expect(metadata.name).toMatch(/^(llm-tracing-|tracing$)/);
      expect(metadata.labels).toMatchObject({ ...ownLabels, 'app.kubernetes.io/name': 'tracing' });
    }
    for (const component of [...COMPONENTS, 'migrate'])
      expect(podOf(platform, component).metadata.labels).toMatchObject({ ...ownLabels, tier: 'backend' });
    expect(selectorsOf(platform)).toHaveLength(COMPONENTS.length);
    for (const [name, selector] of selectorsOf(platform))
      expect(selector).toEqual({
        matchLabels: {
          'app.kubernetes.io/name': 'tracing',
          'app.kubernetes.io/instance': 'assay',
          'app.kubernetes.io/component': name.replace('llm-tracing-', ''),
        },
      });
  });

  it.each([
    ['assay', {}, 'assay-query'],
    ['mine', {}, 'mine-query'],
    ['mine', { nameOverride: 'tracing' }, 'mine-tracing-query'],
    ['tracing-2', { nameOverride: 'tracing' }, 'tracing-2-query'],
    ['mine', { nameOverride: 'tracing', fullnameOverride: 'other' }, 'other-query'],
  ])('of a release %s with %j have the name %s', async (release, values, name) => {
    const found = (await render({ ...MINIMAL, ...values }, release)).map(({ metadata }) => metadata.name);
    expect(found).toContain(name);
  });

  it('are scheduled as the values of all pods say, and as those of their component say', () => {
    const spec = (component: string) => podOf(platform, component).spec;
    for (const component of [...COMPONENTS, 'migrate'])
      expect(spec(component)).toMatchObject({
        priorityClassName: component === 'ingestion' ? 'ingestion' : 'platform',
        nodeSelector: {
          'kubernetes.io/arch': 'amd64',
          ...(component === 'ingestion' && { pool: 'ingestion' }),
        },
        affinity: component === 'query' ? PLATFORM.query.affinity : PLATFORM.affinity,
      });
    expect(spec('query').tolerations).toEqual(PLATFORM.tolerations);
    expect(spec('readers').tolerations).toEqual([...PLATFORM.tolerations, ...PLATFORM.readers.tolerations]);
    expect(spec('ingestion').topologySpreadConstraints).toEqual([
      {
        ...PLATFORM.topologySpreadConstraints[0],
        labelSelector: Object.fromEntries(
          Object.entries(selectorsOf(platform).find(([name]) => name === 'llm-tracing-ingestion')![1]),
        ),
      },
    ]);
    expect(spec('readers')).not.toHaveProperty('topologySpreadConstraints');
  });

  it('spread over nodes when no constraint is given', async () => {
    const spec = podOf(await render(MINIMAL), 'query', 'assay').spec;
    expect(spec.topologySpreadConstraints).toMatchObject([
      { topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' },
    ]);
  });

  it('have the additional variables, and one of each name', () => {
    for (const component of [...COMPONENTS, 'migrate']) {
      const { env, envFrom } = podOf(platform, component).spec.containers[0]!;
      expect(env).toEqual(expect.arrayContaining(PLATFORM.extraEnv));
      expect(envFrom).toEqual(
        component === 'control-plane'
          ? [...PLATFORM.envFrom, ...PLATFORM.controlPlane.envFrom]
          : PLATFORM.envFrom,
      );
      const names = env.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
    }
    const levels = podOf(platform, 'query').spec.containers[0]!.env.filter(
      ({ name }) => name === 'LOG_LEVEL',
    );
    expect(levels).toEqual(PLATFORM.query.extraEnv);
    expect(podOf(platform, 'migrate').spec.containers[0]!.env).toContainEqual({
      name: 'NODE_OPTIONS',
      value: '--max-old-space-size=64',
    });
  });

  it('prefer the variables of a component to those of all pods, and `extraEnv` to `env`', async () => {
    const variable = (value: string) => [{ name: 'LEVEL', value }];
    const values = {
      ...MINIMAL,
      extraEnv: variable('all'),
      query: { env: { LEVEL: 'settings' } },
      readers: { env: { LEVEL: 'settings' }, extraEnv: variable('own') },
    };
    const manifests = await render(values);
    const levelOf = (component: string) =>
      podOf(manifests, component, 'assay').spec.containers[0]!.env.filter(({ name }) => name === 'LEVEL');
    expect(levelOf('ingestion')).toEqual(variable('all'));
    expect(levelOf('query')).toEqual(variable('settings'));
    expect(levelOf('readers')).toEqual(variable('own'));
  });

  it('have the additional volumes, mounts and containers; the Job ends with its own container', () => {
    for (const component of [...COMPONENTS, 'migrate']) {
      const { volumes, containers, initContainers } = podOf(platform, component).spec;
      expect(volumes).toEqual(expect.arrayContaining(PLATFORM.extraVolumes));
      expect(containers[0]!.volumeMounts).toEqual(expect.arrayContaining(PLATFORM.extraVolumeMounts));
      expect(containers.map(({ name }) => name)).toEqual(
        component === 'migrate' ? ['migrate'] : [component, 'log-agent'],
      );
      expect(initContainers?.map(({ name }) => name)).toEqual(['wait']);
    }
  });

  it('have security contexts and probes with the fields of the values', () => {
    const { securityContext, containers } = podOf(platform, 'evaluator').spec;
    expect(securityContext).toMatchObject({
      runAsUser: 65532,
      supplementalGroups: [4000],
      fsGroupChangePolicy: 'OnRootMismatch',
    });
    expect(containers[0]!.securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      seccompProfile: { type: 'RuntimeDefault' },
      runAsNonRoot: true,
    });
    const query = podOf(platform, 'query').spec.containers[0]!;
    expect(query.startupProbe).toMatchObject({ failureThreshold: 600, periodSeconds: 2 });
    expect(query.livenessProbe).toMatchObject({ periodSeconds: 20, httpGet: { path: '/healthz' } });
    expect(query.readinessProbe).toMatchObject({ periodSeconds: 5, httpGet: { path: '/readyz' } });
  });

  it('ask a probe in one way, and lose the fields that are null', async () => {
    const exec = { command: ['true'] };
    const values = {
      ...MINIMAL,
      probes: { liveness: { exec } },
      podSecurityContext: { fsGroup: null },
      query: { securityContext: { capabilities: null } },
    };
    const { securityContext, containers } = podOf(await render(values), 'query', 'assay').spec;
    expect(containers[0]!.livenessProbe).toEqual({
      exec,
      periodSeconds: 10,
      timeoutSeconds: 5,
      failureThreshold: 6,
    });
    expect(securityContext).not.toHaveProperty('fsGroup');
    expect(containers[0]!.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
    });
  });

  it('run as the user of the cluster where it assigns one, and ask for no other', async () => {
    const assigned = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
    const openshift = await helm(
      ...[
        'template',
        'assay',
        CHART,
        '--kube-version',
        '1.34.0',
        '--api-versions',
        'security.openshift.io/v1',
      ],
      ...asArguments(MINIMAL),
    );
    const detected = parseAllDocuments(openshift.output).flatMap((document) => {
      const manifest = document.toJS() as Manifest | null;
      return manifest === null ? [] : [manifest];
    });
    const asked = await render({ ...MINIMAL, podUser: 'assigned' });
    for (const manifests of [detected, asked])
      for (const component of [...COMPONENTS, 'migrate']) {
        const { securityContext, containers } = podOf(manifests, component, 'assay').spec;
        expect(securityContext).toEqual(assigned);
        expect(containers[0]!.securityContext).not.toHaveProperty('runAsUser');
      }
  });

  it('run the images of their registry, tag and digest', () => {
    const images = [...COMPONENTS, 'migrate'].map((component) => [
      component,
      podOf(platform, component).spec.containers[0]!.image,
    ]);
    const of = (program: string, tag: string) => `mirror.example.com/team/assay/${program}:${tag}`;
    expect(Object.fromEntries(images)).toEqual({
      ingestion: `${of('ingestion', '1.2.3')}@${PLATFORM.ingestion.image.digest}`,
      query: of('data-plane', '1.2.4'),
      readers: of('data-plane', '1.2.4'),
      migrate: of('data-plane', '1.2.4'),
      evaluator: of('evaluator', '1.2.3'),
      'control-plane': of('control-plane', '1.2.3'),
    });
  });

  it('run an image of a repository of its own, from the registry of its own', async () => {
    const image = { registry: 'quay.example.com', repository: 'ml/reader' };
    const manifests = await render({ ...MINIMAL, readers: { image } });
    const imageOf = (component: string) => podOf(manifests, component, 'assay').spec.containers[0]!.image;
    expect(imageOf('readers')).toMatch(/^quay\.example\.com\/ml\/reader:\d/);
    expect(imageOf('query')).toMatch(/^registry\.example\.com\/assay\/data-plane:\d/);
  });

  it('of an installation without a repository of images are refused', async () => {
    const { image: _image, ...values } = MINIMAL;
    expect(await template(values)).toMatchObject({
      ok: false,
      output: expect.stringContaining('image.repository is required') as string,
    });
  });

  it('use the ServiceAccounts of the values, and Jobs one that exists before them', async () => {
    for (const component of COMPONENTS)
      expect(podOf(platform, component).spec.serviceAccountName).toBe('tracing');
    expect(podOf(platform, 'migrate').spec.serviceAccountName).toBe('llm-tracing-migrate');
    expect(named(platform, 'ServiceAccount', 'tracing').metadata).toMatchObject({
      annotations: PLATFORM.serviceAccount.annotations,
    });
    expect(named(platform, 'ServiceAccount', 'llm-tracing-migrate').metadata).toMatchObject({
      annotations: {
        'helm.sh/hook': 'pre-install,pre-upgrade',
        'helm.sh/hook-weight': '-10',
        note: 'migrations',
      },
    });
    const create = false;
    const given = await render({
      ...MINIMAL,
      serviceAccount: { create, name: 'given' },
      migrations: { serviceAccount: { create } },
    });
    expect(given.filter(({ kind }) => kind === 'ServiceAccount')).toEqual([]);
    expect(podOf(given, 'query', 'assay').spec.serviceAccountName).toBe('given');
    expect(podOf(given, 'migrate', 'assay').spec.serviceAccountName).toBe('default');
  });

  it('of the control plane are scaled on CPU', () => {
    expect(named(platform, 'HorizontalPodAutoscaler', 'llm-tracing-control-plane').spec).toMatchObject({
      scaleTargetRef: { kind: 'Deployment', name: 'llm-tracing-control-plane' },
      minReplicas: 2,
      maxReplicas: 4,
    });
    expect(named(platform, 'Deployment', 'llm-tracing-control-plane').spec).not.toHaveProperty('replicas');
    expect(named(platform, 'Deployment', 'llm-tracing-query').spec).toMatchObject({ replicas: 2 });
  });
});

describe('the values of pods', () => {
  const schema = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')) as {
    properties: Record<string, { properties?: Record<string, object> } | undefined>;
  };
  const document = readFileSync(join(CHART, 'README.md'), 'utf8');
  const rows = [...document.matchAll(/^- `([^`<>]+)`(?:,\s+`<component>\.([^`]+)`)? \(/gm)];
  const ofPods = rows.flatMap(([, , own]) => own ?? []);

  it('are those of every component', () => {
    expect(ofPods.length).toBeGreaterThan(10);
    for (const name of ['ingestion', 'query', 'readers', 'evaluator', 'controlPlane'])
      expect(Object.keys(schema.properties[name]?.properties ?? {})).toEqual(expect.arrayContaining(ofPods));
    expect(Object.keys(schema.properties.migrations?.properties ?? {})).toEqual(
      expect.arrayContaining(ofPods.filter((name) => !/^(topologySpreadConstraints|probes)$/.test(name))),
    );
  });

  it('are documented, as is every other value', () => {
    const documented = new Set(rows.map(([, name]) => name));
    const covered = (path: string) =>
      documented.has(path) || [...documented].some((name) => name?.startsWith(`${path}.`));
    const undocumented = Object.entries(schema.properties).flatMap(([name, value]) => {
      const inner = Object.keys(value?.properties ?? {});
      return (inner.length > 0 ? inner.map((key) => `${name}.${key}`) : [name]).filter(
        (path) => !covered(path) && !ofPods.some((own) => path.endsWith(`.${own}`)),
      );
    });
    expect(undocumented).toEqual([]);
  });
});
