import { lint, render, template, type Manifest } from './helm.js';
import { ENCRYPTED, MATRIX, MINIMAL } from './chart-values.js';

interface Container {
  readonly image: string;
  readonly resources: Record<'requests' | 'limits', Record<string, string>>;
  readonly securityContext: object;
  readonly startupProbe?: object;
  readonly livenessProbe?: object;
  readonly readinessProbe?: object;
  readonly env: readonly { readonly name: string; readonly value?: unknown; readonly valueFrom?: object }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Volume {
  readonly name: string;
  readonly projected?: {
    readonly sources: readonly {
      readonly secret: { readonly items: readonly { readonly path: string }[] };
    }[];
  };
  readonly configMap?: { readonly items: readonly { readonly path: string }[] };
}

interface PodSpec {
  readonly enableServiceLinks: boolean;
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: object;
  readonly containers: readonly Container[];
  readonly volumes: readonly Volume[];
}

const pods = (manifests: readonly Manifest[]) =>
  manifests
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map(({ kind, metadata, spec }) => ({
      kind,
      name: metadata.name,
      pod: (spec as { template: { spec: PodSpec } }).template.spec,
    }));
/** The paths of the certificates that a pod mounts. */
const mountedFiles = ({ containers, volumes }: PodSpec) =>
  containers.flatMap(({ volumeMounts }) =>
    volumeMounts.flatMap(({ name, mountPath }) => {
      const volume = volumes.find((one) => one.name === name);
      const secrets = (volume?.projected?.sources ?? []).flatMap(({ secret }) => secret.items);
      return [...secrets, ...(volume?.configMap?.items ?? [])].map(({ path }) => `${mountPath}/${path}`);
    }),
  );
/** The settings of a pod that name files, with the files. */
const namedFiles = ({ containers }: PodSpec) =>
  new Map(
    containers.flatMap(({ env }) =>
      env.flatMap(({ name, value }) => (name.endsWith('_FILE') ? [[name, String(value)] as const] : [])),
    ),
  );
const podOf = (manifests: readonly Manifest[], deployment: string) =>
  pods(manifests).find(({ name }) => name === deployment)?.pod.containers ?? [];
const names = (manifests: readonly Manifest[], kind: string) =>
  manifests.filter((manifest) => manifest.kind === kind).map(({ metadata }) => metadata.name);

interface EgressRule {
  readonly ports?: readonly { readonly port: number }[];
  readonly to?: readonly {
    readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
    readonly podSelector?: { readonly matchLabels: Readonly<Record<string, string>> };
  }[];
}
const asText = ({ ports, to }: EgressRule) => {
  const peers = to?.map(
    ({ ipBlock, podSelector }) =>
      (ipBlock && [ipBlock.cidr, ...(ipBlock.except ?? [])].join(' except ')) ??
      podSelector?.matchLabels['app.kubernetes.io/component'] ??
      'pods',
  );
  return `${peers?.join(',') ?? 'anything'} on ${ports?.map(({ port }) => port).join(',') ?? 'every port'}`;
};
/** What the network policies let pods connect to, by the name of the Deployment. */
const egressByComponent = (manifests: readonly Manifest[]) =>
  Object.fromEntries(
    manifests
      .filter(({ kind }) => kind === 'NetworkPolicy')
      .map(({ metadata, spec }) => [metadata.name, (spec as { egress: EgressRule[] }).egress.map(asText)]),
  );

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
        expect(securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
    }
  });

  it('states the resources, the version and the probes of every container', () => {
    for (const { kind, pod } of pods(manifests))
      for (const [index, container] of pod.containers.entries()) {
        expect(container.resources).toMatchObject({
          requests: { cpu: expect.any(String) as string, memory: expect.any(String) as string },
          limits: { memory: expect.any(String) as string },
        });
        expect(container.image).toMatch(/:\d+\.\d+\.\d+(@sha256:[0-9a-f]{64})?$/);
        if (kind === 'Deployment' && index === 0)
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

  it('mounts the files that its settings name', () => {
    for (const { pod } of pods(manifests)) {
      const mounted = mountedFiles(pod);
      for (const file of namedFiles(pod).values()) expect(mounted).toContain(file);
    }
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

  it('scales the evaluator on CPU, or on the lag of its consumer group', async () => {
    const evaluator = (all: readonly Manifest[], kind: string) =>
      all.find((manifest) => manifest.kind === kind && manifest.metadata.name === 'assay-evaluator')?.spec;
    const onCpu = await render({ ...MINIMAL, evaluator: { autoscaling: { enabled: true, maxReplicas: 5 } } });
    expect(evaluator(onCpu, 'HorizontalPodAutoscaler')).toMatchObject({
      scaleTargetRef: { kind: 'Deployment', name: 'assay-evaluator' },
      maxReplicas: 5,
      metrics: [{ resource: { name: 'cpu' } }],
    });
    expect(evaluator(onCpu, 'Deployment')).not.toHaveProperty('replicas');
    expect(names(onCpu, 'ScaledObject')).toEqual([]);

    const keda = { enabled: true, lagPerPod: 500, authentication: 'kafka' };
    const onLag = await render({ ...MINIMAL, evaluator: { keda } });
    const group = 'assay-evaluate';
    expect(evaluator(onLag, 'ScaledObject')).toMatchObject({
      scaleTargetRef: { name: 'assay-evaluator' },
      triggers: [
        {
          type: 'kafka',
          metadata: { consumerGroup: group, topic: 'assay-events', lagThreshold: '500' },
          authenticationRef: { name: 'kafka' },
        },
      ],
    });
    expect(evaluator(onLag, 'Deployment')).not.toHaveProperty('replicas');
    expect(names(onLag, 'HorizontalPodAutoscaler')).toEqual([]);

    const off = await render({ ...MINIMAL, evaluator: { enabled: false, keda } });
    expect(names(off, 'ScaledObject')).toEqual([]);
  });

  it('opens the port of OTLP over gRPC on ingestion alone, unless it is off', async () => {
    const openOf = (manifests: readonly Manifest[]) =>
      manifests
        .filter((manifest) => JSON.stringify(manifest.spec ?? {}).includes('"grpc"'))
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

  it('opens the port of the evaluator to the pods that serve the API, with a token of their own', async () => {
    const [, everything] = MATRIX[1]!;
    const all = await render(everything);
    const policy = all.find(
      ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === 'assay-evaluator',
    );
    const component = 'app.kubernetes.io/component';
    expect(policy?.spec).toMatchObject({
      ingress: [
        {
          ports: [{ port: 'http' }],
          from: [{ podSelector: { matchLabels: { [component]: 'query' } } }],
        },
        { ports: [{ port: 'admin' }] },
      ],
    });
    const variables = new Map(pods(all).map(({ name, pod }) => [name, pod.containers[0]?.env ?? []]));
    for (const name of ['assay-query', 'assay-evaluator'])
      expect(variables.get(name)).toContainEqual({
        name: 'EVALUATOR_TOKEN',
        valueFrom: { secretKeyRef: { name: 'assay', key: 'evaluator-token' } },
      });
    expect(variables.get('assay-query')).toContainEqual({
      name: 'EVALUATOR_URL',
      value: 'http://assay-evaluator:8090',
    });
    const [, without] = MATRIX[5]!;
    const named = pods(await render(without)).flatMap(({ pod }) => pod.containers.flatMap(({ env }) => env));
    expect(named.filter(({ name }) => name.startsWith('EVALUATOR'))).toEqual([]);
  });

  it('encrypts every port and connection with the certificates of its Secrets', async () => {
    const all = pods(await render(ENCRYPTED));
    const files = (component: string) => {
      const found = all.find(({ name }) => name === `assay-${component}`);
      return [...(found ? namedFiles(found.pod).keys() : [])].sort();
    };
    const three = (prefix: string) => ['CA', 'CERT', 'KEY'].map((file) => `${prefix}_${file}_FILE`);
    const ports = [
      'ASSAY_ADMIN_TLS_CERT_FILE',
      'ASSAY_ADMIN_TLS_KEY_FILE',
      'ASSAY_TLS_CERT_FILE',
      'ASSAY_TLS_CLIENT_CA_FILE',
      'ASSAY_TLS_KEY_FILE',
    ];
    const readers = ['CLICKHOUSE', 'CONTROL_PLANE', 'EVALUATOR', 'INGESTION', 'KAFKA'].flatMap(three);
    expect(files('readers')).toEqual([...ports, ...readers]);
    expect(files('query')).toEqual([...ports, ...readers]);
    expect(files('ingestion')).toEqual([...ports, ...three('CONTROL_PLANE'), ...three('KAFKA')]);
    expect(files('evaluator')).toEqual([
      ...ports,
      ...['CLICKHOUSE', 'CONTROL_PLANE', 'KAFKA'].flatMap(three),
      'LLM_PROXY_CA_FILE',
    ]);
    expect(files('control-plane')).toEqual([...ports, ...three('MONGODB')]);
    expect(files('migrate')).toEqual(three('CLICKHOUSE'));
    const urls = all.flatMap(({ pod }) => pod.containers.flatMap(({ env }) => env));
    for (const { value } of urls.filter(({ name }) => /^(CONTROL_PLANE|EVALUATOR|INGESTION)_URL$/.test(name)))
      expect(value).toMatch(/^https:/);
    for (const { kind, pod } of all)
      if (kind === 'Deployment')
        expect(pod.containers[0]?.readinessProbe).toMatchObject({ httpGet: { scheme: 'HTTPS' } });
  });

  it('gives the keys of models from Secrets to the evaluator alone', async () => {
    const [, everything] = MATRIX[1]!;
    const all = pods(await render(everything));
    const withModels = all.filter(({ pod }) => /"LLM_|models/.test(JSON.stringify(pod)));
    expect(withModels.map(({ name }) => name)).toEqual(['assay-evaluator']);
    const { pod } = withModels[0]!;
    expect(pod.containers[0]?.env).toContainEqual({
      name: 'LLM_PROXY_API_KEY',
      valueFrom: { secretKeyRef: { name: 'models', key: 'proxy-key' } },
    });
    expect(pod.containers[0]?.env).toEqual(
      expect.arrayContaining([
        { name: 'LLM_DEFAULT_PROVIDER', value: 'openai' },
        { name: 'LLM_DEFAULT_MODEL', value: 'gpt-4o' },
      ]),
    );
    expect(mountedFiles(pod)).toContain(namedFiles(pod).get('LLM_PROVIDERS_FILE'));
    expect(pod.volumes.find(({ name }) => name === 'llm-providers')).toMatchObject({
      projected: { sources: [{ secret: { name: 'models', items: [{ key: 'providers' }] } }] },
    });
  });

  it('gives a price table from a ConfigMap to the processes that estimate costs, as a folder that is renewed', async () => {
    const [, everything] = MATRIX[1]!;
    const named = (all: ReturnType<typeof pods>) =>
      all.filter(({ pod }) => JSON.stringify(pod).includes('PRICE_TABLE_FILE'));
    const withPrices = named(pods(await render(everything)));
    expect(withPrices.map(({ name }) => name).sort()).toEqual(['assay-evaluator', 'assay-ingestion']);
    for (const { pod } of withPrices) {
      expect(pod.volumes.find(({ name }) => name === 'prices')).toMatchObject({
        configMap: { name: 'prices', items: [{ key: 'prices-2026-11-01.json', path: 'prices.json' }] },
      });
      expect(mountedFiles(pod)).toContain(namedFiles(pod).get('PRICE_TABLE_FILE'));
      // The cluster does not renew a file that is mounted by its path.
      expect(JSON.stringify(pod)).not.toContain('subPath');
    }
    expect(named(pods(await render(MINIMAL)))).toEqual([]);
  });

  it('serves the console on both planes when that is asked for, with its secret by reference', async () => {
    const served = (all: ReturnType<typeof pods>) =>
      all.filter(({ pod }) => JSON.stringify(pod).includes('CONSOLE_'));
    expect(served(pods(await render(MINIMAL)))).toEqual([]);
    const values = {
      console: { enabled: true },
      secrets: { consoleSession: { name: 'assay', key: 'console' } },
    };
    const withConsole = served(pods(await render({ ...MINIMAL, ...values })));
    expect(withConsole.map(({ name }) => name).sort()).toEqual(['assay-control-plane', 'assay-query']);
    for (const { pod } of withConsole)
      expect(pod.containers[0]?.env).toEqual(
        expect.arrayContaining([
          { name: 'CONSOLE_DIR', value: '/app/console' },
          {
            name: 'CONSOLE_SESSION_SECRET',
            valueFrom: { secretKeyRef: { name: 'assay', key: 'console' } },
          },
        ]),
      );
    const refused = await template({ ...MINIMAL, console: { enabled: true } });
    expect(refused.errors).toContain('secrets.consoleSession is required when console.enabled is true');
  });

  it('writes additional settings as they are, in place of those of the chart', async () => {
    const env = { LOG_LEVEL: 'debug', MAX_EVENT_BYTES: 10_485_760, RATE: 0.5, ENABLED: true, EMPTY: '' };
    const query = pods(await render({ ...MINIMAL, query: { env } })).find(
      ({ name }) => name === 'assay-query',
    );
    const names = Object.keys(env);
    const written = query?.pod.containers[0]?.env.filter(({ name }) => names.includes(name)) ?? [];
    expect(written.map(({ name, value }) => [name, value]).sort()).toEqual(
      Object.entries(env)
        .map(([name, value]) => [name, String(value)])
        .sort(),
    );
  });

  it('lets each pod connect only to what it uses, on the ports that it uses', async () => {
    const networkPolicy = {
      dependencyNetworks: ['10.0.0.0/8'],
      mongodb: { networks: ['10.3.0.0/16'], ports: [27018] },
      models: { networks: ['0.0.0.0/0'] },
      webhooks: { networks: ['10.4.0.0/16'] },
    };
    const evaluator = { env: { LLM_PROXY_URL: 'http://llm-proxy.models.svc:4000/v1' } };
    const kafka = { brokers: ['a:9092', 'b:9092', 'c:9094'] };
    const together = await render({ ...MINIMAL, kafka, evaluator, networkPolicy });
    const [log, store] = ['10.0.0.0/8 on 9092,9094', '10.0.0.0/8 on 8123'];
    const dns = 'pods on 53,53';
    expect(egressByComponent(together)).toEqual({
      'assay-ingestion': [dns, log, 'control-plane on 8090'],
      'assay-query': [dns, log, store, 'control-plane on 8090', 'ingestion on 8090', 'evaluator on 8090'],
      'assay-readers': [dns, log, store, 'control-plane on 8090', '10.4.0.0/16 on 443'],
      'assay-evaluator': [
        dns,
        log,
        store,
        'control-plane on 8090',
        '0.0.0.0/0 except 169.254.0.0/16 on 443,4000',
      ],
      'assay-control-plane': [dns, '10.3.0.0/16 on 27018'],
      'assay-migrate': [dns, store],
    });

    const [, elsewhere] = MATRIX[2]!;
    const own = {
      ...MINIMAL.networkPolicy,
      controlPlane: { networks: ['192.0.2.0/24'] },
      clickhouse: { ports: [8124] },
    };
    const apart = egressByComponent(await render({ ...elsewhere, networkPolicy: own }));
    expect(apart['assay-ingestion']).toEqual([dns, '10.0.0.0/8 on 9092', '192.0.2.0/24 on 443']);
    expect(apart['assay-readers']).toContain('10.0.0.0/8 on 8124');
    expect(apart['assay-evaluator']).toContain('10.0.0.0/8 on 443');
  });

  it('gives the pods what they need for tokens at Kafka', async () => {
    const oauth = {
      tokenUrl: 'https://login.example.com:8443/token',
      clientId: 'assay',
      clientSecret: { name: 'kafka', key: 'client-secret' },
      scope: 'kafka',
      caSecret: { name: 'login-ca', key: 'ca.crt' },
    };
    const networkPolicy = { ...MINIMAL.networkPolicy, tokens: { networks: ['10.9.0.0/16'] } };
    const kafka = { brokers: ['kafka:9093'], tls: true, sasl: { mechanism: 'oauthbearer', oauth } };
    const manifests = await render({ ...MINIMAL, kafka, networkPolicy });
    for (const name of ['assay-ingestion', 'assay-query', 'assay-readers', 'assay-evaluator']) {
      const [container] = podOf(manifests, name);
      const env = new Map(container?.env.map((variable) => [variable.name, variable]));
      expect(env.get('KAFKA_OAUTH_TOKEN_URL')?.value).toBe(oauth.tokenUrl);
      expect(env.get('KAFKA_OAUTH_CLIENT_SECRET')?.valueFrom).toEqual({ secretKeyRef: oauth.clientSecret });
      expect(env.get('KAFKA_OAUTH_CA_FILE')?.value).toBe('/etc/assay/tls/kafka-oauth/ca.crt');
      expect(container?.volumeMounts.map(({ mountPath }) => mountPath)).toContain(
        '/etc/assay/tls/kafka-oauth',
      );
      expect(env.has('KAFKA_OAUTH_AUDIENCE')).toBe(false);
      expect(env.has('KAFKA_SASL_USERNAME')).toBe(false);
      expect(egressByComponent(manifests)[name]).toContain('10.9.0.0/16 on 8443');
    }
    const sasl = { mechanism: 'aws-msk-iam', awsRegion: 'eu-west-1' };
    const onAws = await render({ ...MINIMAL, kafka: { ...kafka, sasl }, networkPolicy });
    const [readers] = podOf(onAws, 'assay-readers');
    expect(readers?.env).toContainEqual({ name: 'AWS_REGION', value: 'eu-west-1' });
    expect(egressByComponent(onAws)['assay-readers']).toContain('10.9.0.0/16 on 443');
    expect(egressByComponent(onAws)['assay-control-plane']?.join()).not.toContain('10.9');
  });

  it('lets no pod connect to networks when there are none', async () => {
    const policies = (await render({ ...MINIMAL, networkPolicy: { dependencyNetworks: [] } })).filter(
      ({ kind }) => kind === 'NetworkPolicy',
    );
    const rules = policies.flatMap(
      ({ spec }) => (spec as { egress: { ports?: object[]; to?: object[] }[] }).egress,
    );
    expect(rules.length).toBeGreaterThan(0);
    expect(JSON.stringify(rules)).not.toContain('ipBlock');
    // Every other rule is for DNS, or names pods.
    for (const rule of rules)
      expect(rule.to ?? rule.ports).toEqual(expect.arrayContaining([expect.anything()]));
  });

  it('asks where the dependencies are, and lets the evaluator connect to no model by default', async () => {
    const nowhere = { ...MINIMAL, networkPolicy: {} };
    expect((await template(nowhere)).output).toMatch(/networkPolicy\.kafka\.networks is required/);
    const networks = ['10.0.0.0/8'];
    const networkPolicy = { kafka: { networks }, clickhouse: { networks }, mongodb: { networks } };
    const egress = egressByComponent(await render({ ...nowhere, networkPolicy }));
    expect(egress['assay-evaluator']).toEqual([
      'pods on 53,53',
      '10.0.0.0/8 on 9092',
      '10.0.0.0/8 on 8123',
      'control-plane on 8090',
    ]);
  });

  it.each([
    ['0.0.0.0/0', ['169.254.0.0/16']],
    ['128.0.0.0/1', ['169.254.0.0/16']],
    ['169.254.0.0/15', ['169.254.0.0/16']],
    ['0.0.0.0/1', []],
    ['169.252.0.0/15', []],
    ['169.0.0.0/9', []],
    ['203.0.113.7/32', []],
    ['::/0', ['fe80::/10', 'fd00:ec2::254/128']],
    ['2001:db8::/32', []],
  ])('allows %s without the link-local addresses in it', async (network, except) => {
    const networkPolicy = { ...MINIMAL.networkPolicy, models: { networks: [network] } };
    const policies = JSON.stringify(await render({ ...MINIMAL, networkPolicy }));
    expect(policies).toContain(JSON.stringify({ cidr: network, except }));
  });

  it.each(['169.254.0.0/16', '169.254.169.254/32', '169.254.128.0/17'])(
    'refuses %s as a network',
    async (network) => {
      for (const networkPolicy of [
        { dependencyNetworks: [network] },
        { ...MINIMAL.networkPolicy, models: { networks: [network] } },
      ])
        expect(await template({ ...MINIMAL, networkPolicy })).toMatchObject({
          ok: false,
          output: expect.stringContaining('link-local addresses serve the credentials of the node') as string,
        });
    },
  );

  it.each<[string, object, string]>([
    ['no broker', { ...MINIMAL, kafka: {} }, 'kafka.brokers is required'],
    [
      'names without a key',
      { ...MINIMAL, redactNames: true },
      'secrets.redactNamesKey is required with redactNames',
    ],
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
    [
      'a label that selects the pods',
      { ...MINIMAL, podLabels: { 'app.kubernetes.io/name': 'mine' } },
      'podLabels must not contain app.kubernetes.io/name',
    ],
    [
      'fewer pods at most than at least',
      { ...MINIMAL, query: { autoscaling: { enabled: true, minReplicas: 5, maxReplicas: 2 } } },
      'query.autoscaling.minReplicas is larger than maxReplicas',
    ],
    [
      'two kinds of autoscaling of the evaluator',
      { ...MINIMAL, evaluator: { autoscaling: { enabled: true }, keda: { enabled: true } } },
      'evaluator.autoscaling and evaluator.keda must not both be enabled',
    ],
    [
      'a port that is none',
      { ...MINIMAL, networkPolicy: { models: { ports: [70_000] } } },
      '/networkPolicy/models/ports/0',
    ],
    [
      'a network without its length',
      { ...MINIMAL, networkPolicy: { dependencyNetworks: ['10.0.0.0'] } },
      '/networkPolicy/dependencyNetworks/0',
    ],
    ['text for a switch', { ...MINIMAL, redactValues: 'true' }, 'got string, want boolean'],
    ['a number for a tag', { ...MINIMAL, image: { tag: 1.5 } }, "'/image/tag': got number, want string"],
    ['a Secret as text', { ...MINIMAL, tls: { caSecret: 'ca' } }, 'got string, want object'],
    ['a Secret with an impossible name', { ...MINIMAL, tls: { secret: 'A_B' } }, "'/tls/secret'"],
    ['a misspelt limit', { ...MINIMAL, query: { resources: { limit: {} } } }, "'limit' not allowed"],
    [
      'an amount that is none',
      { ...MINIMAL, query: { resources: { requests: { cpu: 'many' } } } },
      '/query/resources/requests/cpu',
    ],
    ['an unknown toleration', { ...MINIMAL, tolerations: [{ keys: 'a' }] }, "'keys' not allowed"],
    ['a label with a space', { ...MINIMAL, podLabels: { 'a b': 'c' } }, "invalid propertyName 'a b'"],
    ['a host with a space', { ...MINIMAL, ingress: { enabled: true, host: 'a b' } }, '/ingress/host'],
    ['text for a number', { ...MINIMAL, query: { replicas: 'two' } }, 'got string, want integer'],
    [
      'an unknown value',
      { ...MINIMAL, redactValue: true },
      "additional properties 'redactValue' not allowed",
    ],
    [
      'authorities of brokers without TLS',
      { ...MINIMAL, kafka: { ...MINIMAL.kafka, caSecret: { name: 'c', key: 'k' } } },
      'kafka.caSecret and kafka.clientSecret need kafka.tls',
    ],
    [
      'authorities of a ClickHouse without TLS',
      { ...MINIMAL, clickhouse: { ...MINIMAL.clickhouse, clientSecret: 'c' } },
      'need an https address in clickhouse.url',
    ],
    [
      'authorities without a key',
      { ...MINIMAL, mongodb: { ...MINIMAL.mongodb, caSecret: { name: 'm' } } },
      'the Secret of the authority of mongodb needs a key',
    ],
    [
      'model providers from a Secret without a key',
      { ...MINIMAL, evaluator: { llmProvidersSecret: { name: 'm' } } },
      'evaluator.llmProvidersSecret needs a key',
    ],
    [
      'a price table from a ConfigMap without a key',
      { ...MINIMAL, priceTableConfigMap: { name: 'p' } },
      'priceTableConfigMap needs a key',
    ],
    ['a broker without a port', { ...MINIMAL, kafka: { brokers: ['kafka'] } }, 'kafka/brokers/0'],
    ['TLS without a host', { ...MINIMAL, ingress: { enabled: true } }, 'ingress.host is required'],
    [
      'SASL without a password',
      { ...MINIMAL, kafka: { ...MINIMAL.kafka, sasl: { mechanism: 'plain', username: 'u' } } },
      'kafka.sasl.passwordSecret is required',
    ],
    [
      'tokens without the secret of the client',
      {
        ...MINIMAL,
        kafka: {
          ...MINIMAL.kafka,
          tls: true,
          sasl: { mechanism: 'oauthbearer', oauth: { tokenUrl: 'https://login', clientId: 'assay' } },
        },
      },
      'kafka.sasl.oauth.clientSecret is required with oauthbearer',
    ],
    [
      'tokens without TLS',
      { ...MINIMAL, kafka: { ...MINIMAL.kafka, sasl: { mechanism: 'aws-msk-iam' } } },
      'kafka.sasl.mechanism aws-msk-iam needs kafka.tls: true',
    ],
  ])('refuses %s with a sentence', async (_case, values, sentence) => {
    const { ok, output } = await template(values);
    expect(ok).toBe(false);
    expect(output).toContain(sentence);
  });
});
