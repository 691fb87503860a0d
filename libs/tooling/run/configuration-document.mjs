// docs/configuration.md: the settings that matter first, then every setting once, from the declarations of the processes.
import { createRequire } from 'node:module';
import { root } from './install.mjs';

const load = (path) => createRequire(import.meta.url)(`${root}/${path}`);

const processes = [
  { letter: 'S', settings: load('deploy/standalone/dist/config.js').standaloneSettings },
  { letter: 'I', settings: load('services/ingestion/dist/config.js').ingestionSettings },
  { letter: 'D', settings: load('services/data-plane/dist/config.js').dataPlaneSettings },
  { letter: 'E', settings: load('services/evaluator/dist/config.js').evaluatorSettings },
  { letter: 'C', settings: load('services/control-plane/dist/config.js').controlPlaneServiceSettings },
];

const sections = [
  {
    title: 'Ports, connections and logs',
    names:
      /^(ASSAY_((ADMIN_)?(HOST|PORT|TLS_\w+)|OTLP_GRPC_PORT)|CORS_\w+|LOG_(LEVEL|FORMAT)|MAX_CONN\w+|MAX_BODY\w+|TRUSTED_PROXIES)$/,
  },
  {
    title: 'Data, projects and keys',
    names:
      /^(ASSAY_(DATA_DIR|ROLE|PROJECT|PROJECT_IDS|API_KEY|ADMIN_TOKEN)|MIN_FREE_DISK|KEY_PEPPER|AUDIT_\w+|PRICE_TABLE_FILE|PROJECT_\w+)$/,
  },
  {
    title: 'Storing, forwarding and deleting events',
    names:
      /^(LOG_RETENTION_HOURS|MAX_(LOG_BYTES|STORE_BYTES|EVENT_BYTES|STORE_LAG_SECONDS)|FORWARD_\w+|DELETED_PROJECT_\w+|EVENT_RETENTION_DAYS|EXPIRED_EVENT_\w+|PURGE_\w+|STORE_MEDIA_ONCE)$/,
  },
  { title: 'Queries', names: /^(QUERY_\w+|READ_AFTER_WRITE_\w+)$/ },
  { title: 'Alerts', names: /^ALERT_\w+$/ },
  { title: 'Export to an object store', names: /^EXPORT_S3_\w+$/ },
  { title: 'Evaluation', names: /^(EVALUATE_EVENTS|EVALUATION_\w+|LLM_\w+|PYTHON_\w+)$/ },
  { title: 'Redaction', names: /^REDACT_/ },
  { title: 'Console', names: /^CONSOLE_/ },
  { title: 'People', names: /^OIDC_/ },
  { title: 'Agents', names: /^SERVE_MCP$/ },
  { title: 'Kafka', names: /^(KAFKA|AWS)_/ },
  { title: 'ClickHouse', names: /^CLICKHOUSE_/ },
  { title: 'MongoDB', names: /^MONGODB_/ },
  { title: 'Traces and metrics of the services', names: /^OTEL_/ },
  { title: 'Between services', names: /^(CONTROL_PLANE|INGESTION|EVALUATOR)_/ },
];

const HEAD = `# Configuration

Settings come from the environment. A secret may also come from a file: set the name with \`_FILE\` to its path. All mistakes are listed together and stop
the start with exit code 78; an unknown name that starts with \`ASSAY_\` counts as one. This page is generated from the declarations in the code.

## The ten settings that matter

| When | Set |
|---|---|
| The data of the single process belongs on another disk than that of \`./.assay\` | \`ASSAY_DATA_DIR\` |
| The first key of the first project must be known before the first start | \`ASSAY_API_KEY\` |
| Other machines send or read: \`0.0.0.0\` listens on every address. Use TLS then | \`ASSAY_HOST\` |
| 8090 or 8091 is taken | \`ASSAY_PORT\`, \`ASSAY_ADMIN_PORT\` |
| No proxy in front terminates TLS | \`ASSAY_TLS_CERT_FILE\`, with \`ASSAY_TLS_KEY_FILE\` |
| A proxy is in front: without it all clients share its address and its limits | \`TRUSTED_PROXIES\` |
| You create projects or read the audit log | \`ASSAY_ADMIN_TOKEN\` |
| The log takes too much disk, or must reach back further than 72 hours | \`LOG_RETENTION_HOURS\`, \`MAX_LOG_BYTES\` |
| Metrics of type LLM call a model | \`LLM_PROXY_URL\` or \`LLM_PROVIDERS_FILE\` |
| A control plane runs apart and must not see values | \`REDACT_VALUES\` |

Separate services also need \`KAFKA_BROKERS\`, \`CLICKHOUSE_URL\`, \`MONGODB_URL\`, \`KEY_PEPPER\`, \`CONTROL_PLANE_URL\`, \`CONTROL_PLANE_TOKEN\` and
\`INGESTION_URL\`.

In parentheses: the value (a range is one of integers), the default if there is one, and the processes that read the setting: **S** the single process (\`npm start\`), **I** ingestion,
**D** the data plane, **E** the evaluator, **C** the control plane.
`;

/** Returns the document as Markdown. */
export function configurationDocument() {
  const { configLists } = load('libs/runtime/dist/index.js');
  return `${HEAD}\n${configLists(processes, sections)}\n`;
}
