import {
  bodySettings,
  clickhouseSettings,
  controlPlaneSettings,
  diskSettings,
  evaluatorTokenSettings,
  flag,
  httpUrl,
  integer,
  judgeTlsSettings,
  kafkaSettings,
  list,
  priceSettings,
  processSettings,
  secret,
  text,
} from '@assay/runtime';

/** Switches evaluation off where other services run in the same process. */
export const evaluationSwitch = {
  evaluateEvents: flag('EVALUATE_EVENTS', {
    default: true,
    description:
      'Evaluate events by the metrics of their projects. Without it only people and clients score events',
  }),
} as const;

/** Settings of every process that evaluates events. */
export const evaluationSettings = {
  pythonExecutable: text('PYTHON_EXECUTABLE', {
    default: 'python3',
    description:
      'Interpreter of PYTHON metrics, CPython 3.9 or later: a path, or a name on `PATH`. Metrics can import the libraries that it has',
  }),
  pythonMetricTimeoutMs: integer('PYTHON_METRIC_TIMEOUT_MS', {
    default: 100,
    min: 1,
    max: 10_000,
    description:
      'Limit of the run time of one evaluation by a PYTHON metric, in milliseconds, without waits for a core',
  }),
  llmProxyUrl: httpUrl('LLM_PROXY_URL', {
    description:
      'Base URL of the OpenAI-compatible API that metrics of type LLM call, such as `https://llm-proxy.example.com/v1`; its host may be inside the network',
  }),
  llmProxyApiKey: secret('LLM_PROXY_API_KEY', { description: 'Key of that API' }),
  ...judgeTlsSettings,
  llmProxyTimeoutMs: integer('LLM_PROXY_TIMEOUT_MS', {
    default: 60_000,
    min: 100,
    max: 600_000,
    description: 'Time limit of one evaluation by a model, retries included, in milliseconds',
  }),
  evaluationMaxAgeSeconds: integer('EVALUATION_MAX_AGE_SECONDS', {
    default: 86_400,
    min: 1,
    max: 2_592_000,
    description:
      'Seconds that an evaluation waits for an unavailable or busy model provider or machine, before it ends with an error',
  }),
  evaluationSessionQuietSeconds: integer('EVALUATION_SESSION_QUIET_SECONDS', {
    default: 30,
    min: 1,
    max: 3_600,
    description:
      'Seconds without a change before metrics whose filters name values that a session derives from its events decide about it',
  }),
  llmDefaultProvider: text('LLM_DEFAULT_PROVIDER', {
    description:
      'Provider of the model of metrics of type LLM that name none, such as `openai`; together with `LLM_DEFAULT_MODEL`',
  }),
  llmDefaultModel: text('LLM_DEFAULT_MODEL', {
    description:
      'Model of metrics of type LLM that name none. Without both settings such metrics end with the error `no_model`',
  }),
  llmAllowedHosts: list('LLM_ALLOWED_HOSTS', {
    default: [],
    description:
      'Hosts of `LLM_PROVIDERS_FILE`, as `name` or `name:port`, that may have private addresses, plain HTTP and any port. Endpoints of projects cannot use them',
  }),
  llmProvidersFile: text('LLM_PROVIDERS_FILE', {
    description:
      'JSON file of the endpoints and keys of model providers, of the deployment and of single projects; read at the start',
  }),
} as const;

/** Settings of the evaluator service. */
export const evaluatorSettings = {
  ...processSettings,
  dataDir: text('ASSAY_DATA_DIR', {
    default: './.assay-evaluator',
    description: 'Folder of the snapshots of keys and metrics',
  }),
  ...diskSettings,
  ...bodySettings,
  ...priceSettings,
  ...kafkaSettings,
  ...clickhouseSettings,
  ...controlPlaneSettings,
  ...evaluatorTokenSettings,
  ...evaluationSettings,
} as const;
