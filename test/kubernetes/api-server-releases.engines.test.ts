import { type ApiServer, startApiServer } from '../harness/engines/kubernetes/start-api-server.js';
import { MINIMAL, PLATFORM } from './chart-values.js';
import { ReleaseNamespace, type StoredObject } from './cluster.js';

/** The first run on a machine compiles the programs. */
const START_WITHIN_MS = 2_700_000;
const HELM_TEST_MS = 300_000;
const NETWORKING = 'networking.k8s.io/v1';
const DENY_ALL = { podSelector: {}, policyTypes: ['Ingress', 'Egress'] };

interface Policy {
  readonly podSelector: { readonly matchLabels?: Readonly<Record<string, string>> };
  readonly egress?: readonly {
    readonly ports?: readonly { readonly port: number; readonly protocol?: string }[];
    readonly to?: readonly object[];
  }[];
}
interface JobPod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly serviceAccountName: string };
}
const policyOf = ({ spec }: StoredObject) => spec as unknown as Policy;
const selects = ({ podSelector }: Policy, labels: Readonly<Record<string, string>>) =>
  Object.entries(podSelector.matchLabels ?? {}).every(([name, value]) => labels[name] === value);
const allowedPorts = (policies: readonly Policy[]) =>
  policies.flatMap(({ egress = [] }) =>
    egress.flatMap(({ ports = [] }) => ports.map(({ port, protocol = 'TCP' }) => `${protocol} ${port}`)),
  );

describe('a release of the chart on an API server', () => {
  let server: ApiServer;
  beforeAll(async () => {
    server = await startApiServer();
  }, START_WITHIN_MS);
  afterAll(() => server?.stop());

  let namespaces = 0;
  const newNamespace = () => ReleaseNamespace.create(server, `release-${++namespaces}`);
  const namesOf = async (namespace: ReleaseNamespace, apiVersion: string, kind: string) =>
    (await namespace.list(apiVersion, kind)).map(({ metadata }) => metadata.name).sort();
  const deployments = async (namespace: ReleaseNamespace) =>
    Object.fromEntries(
      (await namespace.list('apps/v1', 'Deployment')).map(({ metadata, spec }) => [metadata.name, spec]),
    );

  it.each([
    ['the fewest values', MINIMAL, 'assay-migrate'],
    ['what platform teams set', PLATFORM, 'llm-tracing-migrate'],
  ])(
    'migrates in a namespace that denies by default, on installation and upgrade: %s',
    async (_name, values, name) => {
      const namespace = await newNamespace();
      await namespace.create(NETWORKING, 'NetworkPolicy', { metadata: { name: 'deny' }, spec: DENY_ALL });
      const seen: {
        readonly ports: readonly string[];
        readonly accounts: readonly string[];
        readonly account: string;
      }[] = [];
      namespace.onRunningJob = async ({ spec }) => {
        const { metadata, spec: pod } = (spec as unknown as { template: JobPod }).template;
        const policies = (await namespace.list(NETWORKING, 'NetworkPolicy')).map(policyOf);
        seen.push({
          ports: allowedPorts(policies.filter((policy) => selects(policy, metadata.labels))),
          accounts: await namesOf(namespace, 'v1', 'ServiceAccount'),
          account: pod.serviceAccountName,
        });
      };
      expect(await namespace.install(values)).toMatchObject({ ok: true, errors: '' });
      expect(await namespace.upgrade(values)).toMatchObject({ ok: true, errors: '' });
      expect(seen).toHaveLength(2);
      for (const { ports, accounts, account } of seen) {
        expect([...ports].sort()).toEqual(['TCP 53', 'TCP 8123', 'UDP 53']);
        expect(account).toBe(name);
        expect(accounts).toContain(name);
      }
      expect(await namesOf(namespace, NETWORKING, 'NetworkPolicy')).not.toContain(name);
      expect(await namesOf(namespace, 'v1', 'ServiceAccount')).not.toContain(name);
    },
    HELM_TEST_MS,
  );

  it(
    'leaves the Job of a migration that failed, and nothing else',
    async () => {
      const namespace = await newNamespace();
      expect(await namespace.install(MINIMAL, 'Failed')).toMatchObject({ ok: false });
      expect(await namesOf(namespace, 'batch/v1', 'Job')).toEqual(['assay-migrate']);
      expect(await namesOf(namespace, NETWORKING, 'NetworkPolicy')).toEqual([]);
      expect(await namesOf(namespace, 'v1', 'ServiceAccount')).toEqual([]);
    },
    HELM_TEST_MS,
  );

  it(
    'returns to an earlier revision, after values of every kind were set',
    async () => {
      const namespace = await newNamespace();
      const { nameOverride: _name, fullnameOverride: _fullname, ...values } = PLATFORM;
      expect(await namespace.install(MINIMAL)).toMatchObject({ ok: true, errors: '' });
      const before = await deployments(namespace);
      expect(await namespace.upgrade(values)).toMatchObject({ ok: true, errors: '' });
      expect(await deployments(namespace)).not.toEqual(before);
      expect(await namesOf(namespace, 'v1', 'Service')).toContain('assay-ingestion-admin');
      expect(await namespace.rollback(1)).toMatchObject({ ok: true, errors: '' });
      const after = await deployments(namespace);
      expect(Object.keys(after)).toEqual(Object.keys(before));
      // Autoscaling, which the earlier revision does not have, leaves the number of pods that it states.
      expect(after).toEqual(before);
      expect(await namesOf(namespace, 'v1', 'Service')).not.toContain('assay-ingestion-admin');
      expect(await namespace.uninstall()).toMatchObject({ ok: true, errors: '' });
      expect(await namesOf(namespace, 'apps/v1', 'Deployment')).toEqual([]);
    },
    HELM_TEST_MS,
  );

  it(
    'gets other names, and is refused a name that only changes the selectors',
    async () => {
      const namespace = await newNamespace();
      expect(await namespace.install(MINIMAL)).toMatchObject({ ok: true });
      const fullnameOverride = 'assay';
      const refused = await namespace.upgrade({ ...MINIMAL, fullnameOverride, nameOverride: 'tracing' });
      expect([refused.ok, refused.errors]).toEqual([
        false,
        expect.stringContaining('which cannot change: keep nameOverride, or change fullnameOverride as well'),
      ]);
      const renamed = await namespace.upgrade({ ...MINIMAL, nameOverride: 'tracing' });
      expect(renamed).toMatchObject({ ok: true, errors: '' });
      for (const name of await namesOf(namespace, 'apps/v1', 'Deployment'))
        expect(name).toMatch(/^assay-tracing-/);
    },
    HELM_TEST_MS,
  );
});
