import { certificateFile, keyFile } from './pem-file.js';

/** Certificates of the ports of a process. */
export const listenerTlsSettings = {
  tlsCertFile: certificateFile('ASSAY_TLS_CERT_FILE', {
    description: 'Certificate of the API with its chain: the API then accepts TLS only',
  }),
  tlsKeyFile: keyFile('ASSAY_TLS_KEY_FILE', { description: 'Its private key' }),
  tlsClientCaFile: certificateFile('ASSAY_TLS_CLIENT_CA_FILE', {
    description:
      'Authorities of client certificates: the API then refuses clients without a certificate of theirs',
  }),
  adminTlsCertFile: certificateFile('ASSAY_ADMIN_TLS_CERT_FILE', {
    description: 'Certificate of the admin port with its chain: the port then accepts TLS only',
  }),
  adminTlsKeyFile: keyFile('ASSAY_ADMIN_TLS_KEY_FILE', { description: 'Its private key' }),
  adminTlsClientCaFile: certificateFile('ASSAY_ADMIN_TLS_CLIENT_CA_FILE', {
    description:
      'Authorities of client certificates: the admin port then refuses clients without a certificate of theirs. Probes of Kubernetes have none',
  }),
} as const;

/** Settings of a connection to another system; used with TLS only. */
function connectionFiles<P extends string>(prefix: P, system: string) {
  return {
    ca: certificateFile(`${prefix}_CA_FILE`, {
      description: `Authorities of ${system}, in place of those of Node`,
    }),
    cert: certificateFile(`${prefix}_CERT_FILE`, {
      description: `Client certificate for ${system}, with its chain`,
    }),
    key: keyFile(`${prefix}_KEY_FILE`, { description: 'Its private key' }),
  };
}

const [kafka, clickhouse, mongodb] = [
  connectionFiles('KAFKA', 'the brokers'),
  connectionFiles('CLICKHOUSE', 'ClickHouse'),
  connectionFiles('MONGODB', 'MongoDB'),
];
const [controlPlane, ingestion, evaluator] = [
  connectionFiles('CONTROL_PLANE', 'the control plane'),
  connectionFiles('INGESTION', 'ingestion'),
  connectionFiles('EVALUATOR', 'the evaluator'),
];

export const kafkaTlsSettings = {
  kafkaCaFile: kafka.ca,
  kafkaCertFile: kafka.cert,
  kafkaKeyFile: kafka.key,
} as const;

export const clickhouseTlsSettings = {
  clickhouseCaFile: clickhouse.ca,
  clickhouseCertFile: clickhouse.cert,
  clickhouseKeyFile: clickhouse.key,
} as const;

/** Any of them switches TLS on, whatever the connection string says. */
export const mongodbTlsSettings = {
  mongodbCaFile: mongodb.ca,
  mongodbCertFile: mongodb.cert,
  mongodbKeyFile: mongodb.key,
} as const;

export const controlPlaneTlsSettings = {
  controlPlaneCaFile: controlPlane.ca,
  controlPlaneCertFile: controlPlane.cert,
  controlPlaneKeyFile: controlPlane.key,
} as const;

export const ingestionTlsSettings = {
  ingestionCaFile: ingestion.ca,
  ingestionCertFile: ingestion.cert,
  ingestionKeyFile: ingestion.key,
} as const;

export const evaluatorTlsSettings = {
  evaluatorCaFile: evaluator.ca,
  evaluatorCertFile: evaluator.cert,
  evaluatorKeyFile: evaluator.key,
} as const;

export const judgeTlsSettings = {
  llmProxyCaFile: certificateFile('LLM_PROXY_CA_FILE', {
    description:
      'Authorities of the proxy of models and of the hosts in `LLM_ALLOWED_HOSTS`, besides those of Node',
  }),
} as const;
