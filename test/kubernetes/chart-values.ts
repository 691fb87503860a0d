import { platformValues } from './platform-values.js';

const image = { repository: 'registry.example.com/assay' };

/** The fewest values that install both planes. */
export const MINIMAL = {
  image,
  kafka: { brokers: ['kafka-0.kafka:9092'] },
  clickhouse: { url: 'http://clickhouse:8123' },
  mongodb: { urlSecret: { name: 'mongodb', key: 'url' } },
  networkPolicy: { dependencyNetworks: ['10.0.0.0/8'] },
};

const everything = {
  image: { repository: 'registry.example.com/assay', tag: '1.2.3', pullSecrets: [{ name: 'registry' }] },
  kafka: {
    brokers: ['a:9093', 'b:9093'],
    tls: true,
    sasl: {
      mechanism: 'scram-sha-512',
      username: 'assay',
      passwordSecret: { name: 'kafka', key: 'password' },
    },
  },
  clickhouse: {
    url: 'https://clickhouse:8443',
    username: 'assay',
    cluster: 'main',
    passwordSecret: { name: 'clickhouse', key: 'password' },
  },
  mongodb: { urlSecret: { name: 'mongodb', key: 'url' }, database: 'assay' },
  secrets: {
    ingestionToken: { name: 'assay', key: 'ingestion-token' },
    evaluatorToken: { name: 'assay', key: 'evaluator-token' },
    adminToken: { name: 'assay', key: 'admin-token' },
    firstKey: { name: 'assay', key: 'first-key' },
    redactNamesKey: { name: 'assay', key: 'names-key' },
  },
  redactValues: true,
  redactAllow: 'tier,customer.plan',
  redactNames: true,
  redactNumbers: true,
  priceTableConfigMap: { name: 'prices', key: 'prices-2026-11-01.json' },
  trustedProxies: ['10.0.0.0/8'],
  corsAllowedOrigins: ['https://app.example.com'],
  ingestion: { autoscaling: { enabled: true }, env: { MAX_CONNECTIONS_PER_ADDRESS: 500 }, otlpGrpc: false },
  query: { autoscaling: { enabled: true }, env: { LOG_LEVEL: 'debug', MAX_EVENT_BYTES: 10_485_760 } },
  readers: { keda: { enabled: true, authentication: 'kafka' } },
  evaluator: {
    llmProxyApiKeySecret: { name: 'models', key: 'proxy-key' },
    llmProvidersSecret: { name: 'models', key: 'providers' },
    llmDefaultModel: { provider: 'openai', name: 'gpt-4o' },
    env: { LLM_PROXY_URL: 'https://llm-proxy.example.com/v1' },
  },
  ingress: {
    enabled: true,
    className: 'nginx',
    host: 'assay.example.com',
    tlsSecret: 'certificate',
    annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '20m' },
  },
  networkPolicy: {
    clientNamespaces: { team: 'ml' },
    monitoringNamespace: { 'kubernetes.io/metadata.name': 'monitoring' },
    dependencyNetworks: ['10.1.0.0/16', '10.2.0.0/16'],
  },
  monitoring: { serviceMonitor: true, rules: true, dashboard: true },
  nodeSelector: { 'kubernetes.io/arch': 'amd64' },
  tolerations: [{ key: 'dedicated', operator: 'Exists' }],
  podAnnotations: { note: 'true' },
  podLabels: { team: 'platform' },
};

const ca = { key: 'ca.crt' };

/** Certificates on every port and every connection. */
export const ENCRYPTED = {
  image,
  kafka: {
    brokers: ['kafka-0.kafka:9093'],
    tls: true,
    caSecret: { name: 'kafka-ca', ...ca },
    clientSecret: 'kafka-client',
  },
  clickhouse: {
    url: 'https://clickhouse:8443',
    caSecret: { name: 'clickhouse-ca', ...ca },
    clientSecret: 'clickhouse-client',
  },
  mongodb: {
    urlSecret: { name: 'mongodb', key: 'url' },
    caSecret: { name: 'mongodb-ca', ...ca },
    clientSecret: 'mongodb-client',
  },
  tls: {
    secret: 'assay-tls',
    caSecret: { name: 'assay-tls', ...ca },
    clientCaSecret: { name: 'clients', ...ca },
    admin: true,
  },
  networkPolicy: { ...MINIMAL.networkPolicy, monitoringNamespace: { team: 'monitoring' } },
  evaluator: { llmProxyCaSecret: { name: 'models-ca', ...ca } },
  monitoring: { serviceMonitor: true },
};

/** Values of every kind that platform teams set. */
export const PLATFORM = {
  ...MINIMAL,
  ...platformValues,
  networkPolicy: { ...MINIMAL.networkPolicy, ...platformValues.networkPolicy },
};

/** The chart is rendered, linted and checked with each of these values. */
export const MATRIX: readonly (readonly [name: string, values: object])[] = [
  ['the fewest values', MINIMAL],
  ['all features', everything],
  [
    'a data plane whose control plane is elsewhere',
    {
      image,
      kafka: MINIMAL.kafka,
      clickhouse: MINIMAL.clickhouse,
      controlPlane: { enabled: false, url: 'https://assay.example.com' },
      networkPolicy: {
        dependencyNetworks: ['10.0.0.0/8'],
        controlPlane: { networks: ['0.0.0.0/0'] },
        dnsNetworks: ['169.254.20.10/32'],
      },
      redactValues: true,
    },
  ],
  [
    'a control plane alone',
    {
      image,
      mongodb: MINIMAL.mongodb,
      dataPlane: { enabled: false },
      networkPolicy: MINIMAL.networkPolicy,
    },
  ],
  [
    'a control plane alone with an Ingress',
    {
      image,
      mongodb: MINIMAL.mongodb,
      dataPlane: { enabled: false },
      networkPolicy: MINIMAL.networkPolicy,
      ingress: { enabled: true, host: 'assay.example.com' },
    },
  ],
  [
    'no optional objects',
    {
      ...MINIMAL,
      migrations: { enabled: false },
      evaluator: { enabled: false },
      networkPolicy: { enabled: false },
      podDisruptionBudget: { enabled: false },
    },
  ],
  ['certificates everywhere', ENCRYPTED],
  ['what platform teams set', PLATFORM],
  [
    'a control plane elsewhere that requires a client certificate',
    {
      image,
      kafka: MINIMAL.kafka,
      clickhouse: MINIMAL.clickhouse,
      controlPlane: {
        enabled: false,
        url: 'https://assay.example.com',
        caSecret: { name: 'assay-ca', ...ca },
        clientSecret: 'assay-client',
      },
      networkPolicy: MINIMAL.networkPolicy,
      tls: { secret: 'assay-tls' },
    },
  ],
];
