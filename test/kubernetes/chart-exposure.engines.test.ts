import { ENCRYPTED, MINIMAL, PLATFORM } from './chart-values.js';
import { render, type Manifest } from './helm.js';

const RENDERS_MS = 600_000;

interface ServiceSpec {
  readonly type?: string;
  readonly ports: readonly { readonly name: string }[];
}

describe('how the chart publishes', () => {
  let platform: Manifest[];
  beforeAll(async () => {
    platform = await render(PLATFORM);
  }, RENDERS_MS);

  const one = (kind: string, name: string) => {
    const found = platform.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
    if (!found) throw new Error(`no ${kind} ${name}`);
    return found;
  };
  const portsOf = (name: string) =>
    (one('Service', name).spec as unknown as ServiceSpec).ports.map(({ name }) => name);

  it('the Services of their type, and never the admin port', () => {
    expect(one('Service', 'llm-tracing-ingestion')).toMatchObject({
      metadata: { annotations: { 'example.com/internal': 'true' } },
      spec: { type: 'LoadBalancer' },
    });
    expect(portsOf('llm-tracing-ingestion')).toEqual(['http', 'grpc']);
    expect(one('Service', 'llm-tracing-ingestion-admin').spec).not.toHaveProperty('type');
    expect(portsOf('llm-tracing-ingestion-admin')).toEqual(['admin']);
    expect(portsOf('llm-tracing-query')).toEqual(['http', 'admin']);
    const published = platform.filter(
      ({ kind, spec }) => kind === 'Service' && spec?.type === 'LoadBalancer',
    );
    expect(published.map(({ metadata }) => metadata.name)).toEqual(['llm-tracing-ingestion']);
  });

  it('to the networks of clients outside of the cluster, on the ports of the API alone', () => {
    const { ingress } = one('NetworkPolicy', 'llm-tracing-ingestion').spec as {
      ingress: { ports: { port: string }[]; from: object[] }[];
    };
    const open = ingress.filter(({ from }) => JSON.stringify(from).includes('192.0.2.0/24'));
    expect(open.map(({ ports }) => ports.map(({ port }) => port))).toEqual([['http', 'grpc']]);
    expect(JSON.stringify(one('NetworkPolicy', 'llm-tracing-readers').spec)).not.toContain('192.0.2.0/24');
  });

  it('every host of the Ingress, with the certificate that it names', () => {
    expect(one('Ingress', 'llm-tracing-api').spec).toMatchObject({
      tls: [{ secretName: 'a', hosts: ['a.example.com'] }],
      rules: [{ host: 'a.example.com' }, { host: 'b.example.com' }],
    });
  });

  it('a host and further hosts in one Ingress', async () => {
    const hosts = [{ host: 'b.example.com', tlsSecret: 'b' }];
    const ingress = { enabled: true, host: 'a.example.com', tlsSecret: 'a', hosts };
    const manifests = await render({ ...MINIMAL, ingress });
    expect(manifests.find(({ kind }) => kind === 'Ingress')?.spec).toMatchObject({
      tls: [
        { secretName: 'a', hosts: ['a.example.com'] },
        { secretName: 'b', hosts: ['b.example.com'] },
      ],
      rules: [{ host: 'a.example.com' }, { host: 'b.example.com' }],
    });
  });

  it('the API and OTLP over gRPC through Gateways', () => {
    const backend = (component: string, port: number) => [{ name: `llm-tracing-${component}`, port }];
    const { parentRefs, hostnames } = PLATFORM.httpRoute;
    expect(one('HTTPRoute', 'llm-tracing-api').spec).toEqual({
      parentRefs,
      hostnames,
      rules: [
        {
          matches: [{ path: { type: 'PathPrefix', value: '/opentelemetry' } }],
          backendRefs: backend('ingestion', 8090),
        },
        { matches: [{ path: { type: 'PathPrefix', value: '/' } }], backendRefs: backend('query', 8090) },
      ],
    });
    expect(one('GRPCRoute', 'llm-tracing-otlp').spec).toEqual({
      parentRefs: PLATFORM.grpcRoute.parentRefs,
      hostnames: PLATFORM.grpcRoute.hostnames,
      rules: [{ backendRefs: backend('ingestion', 4317) }],
    });
  });

  it('a control plane alone through a Gateway', async () => {
    const httpRoute = { enabled: true, parentRefs: [{ name: 'public' }] };
    const manifests = await render({ ...MINIMAL, dataPlane: { enabled: false }, httpRoute });
    const route = manifests.find(({ kind }) => kind === 'HTTPRoute');
    expect(route?.spec).toMatchObject({
      rules: [{ backendRefs: [{ name: 'assay-control-plane', port: 8090 }] }],
    });
    expect((route?.spec as { rules: object[] }).rules).toHaveLength(1);
  });

  it('metrics and rules with the labels and times of the values', async () => {
    expect(one('ServiceMonitor', 'llm-tracing-metrics')).toMatchObject({
      metadata: { labels: { release: 'prometheus' } },
      spec: { endpoints: [{ port: 'admin', interval: '1m' }] },
    });
    const rules = one('PrometheusRule', 'llm-tracing-alerts');
    expect(rules.metadata.labels).toMatchObject({ release: 'prometheus' });
    const groups = (manifest?: Manifest) =>
      (manifest?.spec as { groups: { interval?: string; rules: object[] }[] }).groups;
    expect(groups(rules)).toEqual([expect.objectContaining({ interval: '2m' })]);
    const plain = await render({ ...ENCRYPTED, monitoring: { rules: true, serviceMonitor: true } });
    expect(groups(plain.find(({ kind }) => kind === 'PrometheusRule'))[0]).not.toHaveProperty('interval');
    expect(plain.find(({ kind }) => kind === 'ServiceMonitor')?.spec).toMatchObject({
      endpoints: [{ interval: '15s' }],
    });
  });

  it('objects of the values as templates, given as objects or as text', () => {
    expect(one('ConfigMap', 'assay-extra')).toMatchObject({ data: { namespace: 'tracing' } });
    expect(one('ConfigMap', 'extra-assay')).toMatchObject({ kind: 'ConfigMap' });
  });
});
