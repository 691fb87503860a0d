import { join } from 'node:path';
import { parse } from 'yaml';
import { type ApiServer, startApiServer } from '../harness/engines/kubernetes/start-api-server.js';
import { ENCRYPTED, MATRIX, MINIMAL } from './chart-values.js';
import { ReleaseNamespace } from './cluster.js';
import { render, template, type Manifest } from './helm.js';

/** The first run on a machine compiles the programs. */
const START_WITHIN_MS = 2_700_000;
const ACCEPTED = { status: 201, warnings: [] };
const HELM_TEST_MS = 300_000;
/** The fewest values, as a chart of an earlier release rendered them. */
const FORMER_CHART = join(__dirname, 'former-chart');

interface SecretKey {
  readonly name: string;
  readonly key: string;
}

interface PodTemplate {
  readonly metadata: { readonly labels: object; readonly annotations?: object };
  readonly spec: {
    readonly containers: readonly {
      readonly env: readonly { readonly valueFrom?: { readonly secretKeyRef?: SecretKey } }[];
    }[];
    readonly volumes: readonly {
      readonly projected?: {
        readonly sources: readonly {
          readonly secret: { readonly name: string; readonly items: readonly { readonly key: string }[] };
        }[];
      };
    }[];
  };
}

interface Workload {
  readonly template?: PodTemplate;
}

/** The pods that the objects of the chart would create. */
const podsOf = (manifests: readonly Manifest[]) =>
  manifests.flatMap(({ kind, metadata: { name }, spec }) => {
    const workload = spec as (Workload & { jobTemplate?: { spec: Workload } }) | undefined;
    const pod = (workload?.jobTemplate?.spec ?? workload)?.template;
    if (!pod) return [];
    return [
      {
        ...pod,
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { ...pod.metadata, name: `${kind.toLowerCase()}-${name}` },
      },
    ];
  });
/** The keys of Secrets that a pod reads, as helm's error writes them. */
const secretKeysOf = ({ spec }: PodTemplate) => {
  const { containers, volumes } = spec;
  const variables = containers.flatMap(({ env }) =>
    env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []),
  );
  const files = volumes.flatMap(({ projected }) =>
    (projected?.sources ?? []).flatMap(({ secret }) =>
      secret.items.map(({ key }) => ({ name: secret.name, key })),
    ),
  );
  return [...variables, ...files].map(({ name, key }) => `(Secret ${name}, key ${key})`);
};
const identities = (manifests: readonly Manifest[]) =>
  manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`).sort();
/** What a release leaves: hooks are removed once they have succeeded. */
const kept = (manifests: readonly Manifest[]) =>
  manifests.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] === undefined);

describe('the chart on an API server of Kubernetes', () => {
  let server: ApiServer;
  beforeAll(async () => {
    server = await startApiServer();
    for (const name of ['platform', 'ingestion']) await ReleaseNamespace.addPriorityClass(server, name);
  }, START_WITHIN_MS);
  afterAll(() => server?.stop());

  let namespaces = 0;
  const newNamespace = () => ReleaseNamespace.create(server, `tracing-${++namespaces}`);

  describe.each(MATRIX)('with %s', (_name, values) => {
    it('accepts every object without a warning, and knows every field', async () => {
      const namespace = await newNamespace();
      const { output } = await template(values);
      const documents = output.split(/^---$/m).filter((text) => parse(text) !== null);
      expect(documents.length).toBeGreaterThan(3);
      for (const text of documents) {
        const manifest = parse(text) as Manifest;
        expect(await namespace.judge(manifest, text)).toMatchObject(ACCEPTED);
      }
    });

    it('admits every pod where `restricted` is enforced', async () => {
      const namespace = await newNamespace();
      const pods = podsOf(await render(values));
      expect(pods.length).toBeGreaterThan(0);
      for (const pod of pods) expect(await namespace.judge(pod)).toMatchObject(ACCEPTED);
    });
  });

  describe('as a release', () => {
    /** Every kind that the chart creates, and the Secrets in which helm keeps releases. */
    const kinds = new Map<string, string>([['Secret', 'v1']]);
    const stored = async (namespace: ReleaseNamespace) => {
      const perKind = await Promise.all(
        [...kinds].map(async ([kind, apiVersion]) =>
          (await namespace.list(apiVersion, kind)).map(({ metadata }) => `${kind}/${metadata.name}`),
        ),
      );
      return perKind.flat().sort();
    };

    beforeAll(async () => {
      for (const [, values] of MATRIX)
        for (const { kind, apiVersion } of await render(values)) kinds.set(kind, apiVersion);
    });

    it(
      'is installed, upgraded between all values and removed, without a warning',
      async () => {
        const namespace = await newNamespace();
        expect(await namespace.install(MINIMAL)).toMatchObject({ ok: true, errors: '' });
        for (const [name, values] of [...MATRIX, MATRIX[0]!]) {
          const upgraded = await namespace.upgrade(values);
          expect([name, upgraded.ok, upgraded.errors]).toEqual([name, true, '']);
          const wanted = identities(kept(await render(values)));
          const found = await stored(namespace);
          expect([name, found.filter((object) => !object.startsWith('Secret/sh.helm.'))]).toEqual([
            name,
            wanted,
          ]);
        }
        expect(await namespace.uninstall()).toMatchObject({ ok: true, errors: '' });
        expect(await stored(namespace)).toEqual([]);
      },
      HELM_TEST_MS,
    );

    it(
      'is upgraded from the objects of a former chart, without a warning',
      async () => {
        const namespace = await newNamespace();
        expect(await namespace.installFrom(FORMER_CHART)).toMatchObject({ ok: true, errors: '' });
        const former = await stored(namespace);
        expect(former).toEqual(expect.arrayContaining(['Deployment/assay-readers', 'Service/assay-query']));
        expect(await namespace.upgrade(MINIMAL)).toMatchObject({ ok: true, errors: '' });
        const wanted = identities(kept(await render(MINIMAL)));
        const found = (await stored(namespace)).filter((object) => !object.startsWith('Secret/sh.helm.'));
        expect(found).toEqual(wanted);
      },
      HELM_TEST_MS,
    );

    it(
      'keeps its number of pods when autoscaling begins, and the number that autoscaling has chosen',
      async () => {
        const namespace = await newNamespace();
        const replicas = async () => {
          const deployments = await namespace.list('apps/v1', 'Deployment');
          return Object.fromEntries(deployments.map(({ metadata, spec }) => [metadata.name, spec?.replicas]));
        };
        const autoscaling = { enabled: true, maxReplicas: 12 };
        const scaled = {
          ...MINIMAL,
          ...{ ingestion: { autoscaling }, query: { autoscaling }, readers: { keda: { enabled: true } } },
        };
        await namespace.install({ ...MINIMAL, ingestion: { replicas: 5 } });
        await namespace.upgrade(scaled);
        expect(await replicas()).toMatchObject({
          'assay-ingestion': 5,
          'assay-query': 2,
          'assay-readers': 2,
        });
        await namespace.scale('assay-query', 9);
        await namespace.upgrade({ ...scaled, logLevel: 'debug' });
        expect(await replicas()).toMatchObject({
          'assay-ingestion': 5,
          'assay-query': 9,
          'assay-readers': 2,
        });
      },
      HELM_TEST_MS,
    );

    it(
      'is refused with a list of the Secrets and keys that are missing',
      async () => {
        const namespace = await newNamespace();
        // On a cluster, every namespace has one.
        await namespace.create('v1', 'ServiceAccount', { metadata: { name: 'default' } });
        const secret = (name: string, ...keys: string[]) =>
          namespace.create('v1', 'Secret', {
            metadata: { name },
            stringData: Object.fromEntries(keys.map((key) => [key, 'x'])),
          });
        await secret('assay', 'control-plane-token');
        await secret('mongodb', 'url');
        const { clickhouse } = ENCRYPTED;
        const refused = await namespace.install({ ...MINIMAL, clickhouse });
        const missing = [
          'clickhouse.caSecret (Secret clickhouse-ca, key ca.crt)',
          'clickhouse.clientSecret (Secret clickhouse-client, key tls.crt)',
          'clickhouse.clientSecret (Secret clickhouse-client, key tls.key)',
          'secrets.keyPepper (Secret assay, key key-pepper)',
        ];
        expect(refused.ok).toBe(false);
        expect(refused.errors).toContain(`namespace ${namespace.name} has no ${missing.join(', ')}: create`);
        expect(await namespace.list('v1', 'Service')).toEqual([]);
        const unchecked = await namespace.install({ ...MINIMAL, clickhouse, checkSecrets: false });
        expect(unchecked).toMatchObject({ ok: true, errors: '' });
        await secret('clickhouse-ca', 'ca.crt');
        await secret('clickhouse-client', 'tls.crt', 'tls.key');
        expect(await namespace.upgrade({ ...MINIMAL, clickhouse })).toMatchObject({ ok: false });
        const secrets = { keyPepper: { name: 'mongodb', key: 'url' } };
        expect(await namespace.upgrade({ ...MINIMAL, clickhouse, secrets })).toMatchObject({ ok: true });
      },
      HELM_TEST_MS,
    );

    it.each(MATRIX)('is refused with every Secret and key of its pods: %s', async (_name, values) => {
      const namespace = await newNamespace();
      await namespace.create('v1', 'ServiceAccount', { metadata: { name: 'default' } });
      const wanted = new Set(podsOf(await render(values)).flatMap(secretKeysOf));
      expect(wanted.size).toBeGreaterThan(0);
      const { ok, errors } = await namespace.install(values);
      expect(ok).toBe(false);
      expect(new Set(errors.match(/\(Secret \S+, key \S+\)/g))).toEqual(wanted);
    });

    it(
      'creates no pods when the tables could not be created',
      async () => {
        const namespace = await newNamespace();
        const { ok, errors } = await namespace.install(MINIMAL, 'Failed');
        expect(ok).toBe(false);
        expect(errors).toContain('assay-migrate failed');
        expect(await namespace.list('apps/v1', 'Deployment')).toEqual([]);
      },
      HELM_TEST_MS,
    );
  });

  describe('when it is wrong', () => {
    it('refuses a privileged pod, and warns of its Deployment', async () => {
      const namespace = await newNamespace();
      const { output } = await template(MINIMAL);
      const text = output
        .split(/^---$/m)
        .find((document) => document.includes('kind: Deployment'))!
        .replace('allowPrivilegeEscalation: false', 'privileged: true');
      const deployment = parse(text) as Manifest;
      const [pod] = podsOf([deployment]);
      const refused = await namespace.judge(pod!);
      expect([refused.status, refused.body]).toEqual([
        403,
        expect.stringContaining('violates PodSecurity \\"restricted:latest\\": privileged'),
      ]);
      const { status, warnings } = await namespace.judge(deployment);
      expect([status, warnings]).toEqual([201, [expect.stringContaining('would violate PodSecurity')]]);
    });

    it('refuses a misspelt and a repeated field', async () => {
      const namespace = await newNamespace();
      const object = { apiVersion: 'v1', kind: 'ConfigMap' };
      const judge = (metadata: string) =>
        namespace.judge(object, `apiVersion: v1\nkind: ConfigMap\nmetadata: ${metadata}\n`);
      const misspelt = await judge('{ name: a, label: {} }');
      expect([misspelt.status, misspelt.body]).toEqual([400, expect.stringContaining('unknown field')]);
      const repeated = await judge('{ name: a, labels: { b: c, b: d } }');
      expect([repeated.status, repeated.body]).toEqual([400, expect.stringContaining('already set in map')]);
    });
  });
});
