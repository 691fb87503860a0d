const restricted = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};
const resources = { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '32Mi' } };
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;

const sidecar = {
  name: 'log-agent',
  image: 'registry.example.com/agent:1.0.0',
  env: [],
  volumeMounts: [{ name: 'certificates', mountPath: '/certificates', readOnly: true }],
  resources,
  securityContext: restricted,
};

/** Values of the conventions that charts share, each of another kind than the defaults. */
export const platformValues = {
  global: { imageRegistry: 'mirror.example.com' },
  nameOverride: 'tracing',
  fullnameOverride: 'llm-tracing',
  commonLabels: { 'cost-center': '4711', owner: 'platform' },
  image: { registry: 'registry.example.com', repository: 'team/assay', tag: '1.2.3' },
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'In', values: ['general'] }] }],
      },
    },
  },
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
  ],
  priorityClassName: 'platform',
  nodeSelector: { 'kubernetes.io/arch': 'amd64' },
  tolerations: [{ key: 'dedicated', operator: 'Exists' }],
  podAnnotations: { 'example.com/scrape': 'false' },
  podLabels: { tier: 'backend' },
  extraEnv: [
    { name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
    { name: 'HTTPS_PROXY_PASSWORD', valueFrom: { secretKeyRef: { name: 'proxy', key: 'password' } } },
  ],
  envFrom: [{ configMapRef: { name: 'proxy' } }],
  extraVolumes: [{ name: 'certificates', configMap: { name: 'certificates' } }],
  extraVolumeMounts: [{ name: 'certificates', mountPath: '/etc/certificates', readOnly: true }],
  extraContainers: [sidecar],
  initContainers: [{ ...sidecar, name: 'wait', args: ['wait'] }],
  podSecurityContext: { supplementalGroups: [4000], fsGroupChangePolicy: 'OnRootMismatch' },
  securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
  probes: { startup: { failureThreshold: 600 } },
  serviceAccount: {
    name: 'tracing',
    annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/tracing' },
  },
  ingestion: {
    replicas: 3,
    image: { digest: DIGEST },
    service: { type: 'LoadBalancer', annotations: { 'example.com/internal': 'true' } },
    priorityClassName: 'ingestion',
    nodeSelector: { pool: 'ingestion' },
  },
  query: {
    image: { tag: '1.2.4' },
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 1,
            podAffinityTerm: {
              topologyKey: 'kubernetes.io/hostname',
              labelSelector: { matchLabels: { 'app.kubernetes.io/component': 'query' } },
            },
          },
        ],
      },
    },
    extraEnv: [{ name: 'LOG_LEVEL', valueFrom: { configMapKeyRef: { name: 'levels', key: 'query' } } }],
    probes: { liveness: { periodSeconds: 20 } },
  },
  readers: { topologySpreadConstraints: [], tolerations: [{ key: 'readers', operator: 'Exists' }] },
  evaluator: { securityContext: { runAsNonRoot: true }, podAnnotations: { 'example.com/scrape': 'true' } },
  controlPlane: {
    autoscaling: { enabled: true, maxReplicas: 4 },
    envFrom: [{ secretRef: { name: 'proxy' } }],
  },
  migrations: {
    resources,
    podAnnotations: { 'sidecar.istio.io/inject': 'false' },
    env: { NODE_OPTIONS: '--max-old-space-size=64' },
    serviceAccount: { annotations: { note: 'migrations' } },
  },
  ingress: {
    enabled: true,
    hosts: [{ host: 'a.example.com', tlsSecret: 'a' }, { host: 'b.example.com' }],
  },
  httpRoute: {
    enabled: true,
    parentRefs: [{ name: 'public', namespace: 'gateways' }],
    hostnames: ['assay.example.com'],
    annotations: { note: 'true' },
  },
  grpcRoute: {
    enabled: true,
    parentRefs: [{ name: 'public', namespace: 'gateways', sectionName: 'grpc' }],
    hostnames: ['otlp.example.com'],
  },
  networkPolicy: {
    clientNetworks: ['192.0.2.0/24'],
    monitoringNamespace: { 'kubernetes.io/metadata.name': 'monitoring' },
  },
  monitoring: {
    serviceMonitor: true,
    serviceMonitorLabels: { release: 'prometheus' },
    interval: '1m',
    rules: true,
    rulesLabels: { release: 'prometheus' },
    rulesInterval: '2m',
  },
  extraObjects: [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: '{{ .Release.Name }}-extra' },
      data: { namespace: '{{ .Release.Namespace }}' },
    },
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: extra-{{ .Release.Name }} }\n',
  ],
};
