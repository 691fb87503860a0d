// The layers of the system as rules that read as sentences. Each package imports lower layers only; each third-party
// client is imported in listed folders only; services never import each other.
const layers = [
  ['errors'],
  ['domain', 'runtime'],
  ['contracts', 'otlp', 'templates', 'event-rows'],
  ['event-log', 'event-store', 'document-store', 'control-plane-client', 'judges', 'python-runner'],
  ['log-readers'],
  ['http'],
];
/** Test files, and test support: fixtures, contract suites and case tables in `<package>/test/`. */
const tests = '\\.test\\.tsx?$|^(libs|services|deploy)/[^/]+/test/';
const lib = (names) => `^libs/(${names.join('|')})/`;

const layerRules = layers.map((names, level) => {
  const allowed = layers.slice(0, level).flat();
  const self = layers[level];
  return {
    name: `${self.join(', ')} import only lower layers`,
    severity: 'error',
    from: { path: lib(self), pathNot: tests },
    to: { path: '^(libs|services|deploy|test)/', pathNot: [lib([...allowed, ...self]), '^libs/testing/'] },
  };
});

const sameLayerRules = layers.flat().map((name) => ({
  name: `${name} does not import a package of its own layer`,
  severity: 'error',
  from: { path: `^libs/${name}/`, pathNot: tests },
  to: { path: lib(layers.find((l) => l.includes(name))), pathNot: `^libs/${name}/` },
}));

/**
 * Folders of a directory, lowest first: a folder imports only folders that precede it. `.` stands for the files of the directory
 * itself, such as the port of a library; without it no folder imports them. index.ts and compose.ts may import every folder.
 */
const folderOrder = {
  'libs/contracts/src': ['.', 'schema', 'log', 'agents', 'api', 'internal', 'generate'],
  'libs/control-plane-client/src': ['.', 'http', 'authenticator', 'jobs'],
  'libs/document-store/src': ['.', 'rules', 'mongodb', 'embedded'],
  'libs/domain/src/events': [
    '.',
    'time',
    'identity',
    'accept',
    'merge',
    'truncate',
    'filter',
    'page',
    'redact',
    'wire',
  ],
  'libs/domain/src': [
    '.',
    'paging',
    'access',
    'events',
    'sessions',
    'resources',
    'experiments',
    'evaluators',
  ],
  'libs/event-log/src': ['.', 'kafka', 'embedded'],
  'libs/event-rows/src': ['leaves', 'layout', 'fast', 'codec'],
  'libs/event-store/src/sql/read': ['rows', 'hints', 'states', 'sessions', 'events', 'runs', 'aggregates'],
  'libs/event-store/src/sql': ['engine', 'schema', 'filter', 'write', 'read', 'purge'],
  'libs/event-store/src': ['.', 'sql', 'clickhouse', 'chdb'],
  'libs/http/src': [
    'json',
    'query',
    'scheduling',
    'body',
    'response',
    'auth',
    'request',
    'connections',
    'routing',
    'proxy',
    'grpc',
    'console',
    'server',
  ],
  'libs/judges/src': ['.', 'outbound', 'rating', 'providers'],
  'libs/otlp/src': [
    '.',
    'json',
    'codec',
    'metrics',
    'chat',
    'conventions',
    'prices',
    'mapping',
    'logs',
    'generate',
  ],
  'libs/templates/src': ['.', 'syntax', 'values', 'builtins', 'render', 'workers', 'generate'],
  'libs/runtime/src': [
    'log',
    'metrics',
    'work',
    'retry',
    'config',
    'tls',
    'lifecycle',
    'connections',
    'disk',
  ],
  'services/console/src': [
    'theme',
    'text',
    'format',
    'url',
    'api',
    'keyboard',
    'ui',
    'plane',
    'editor',
    'worker',
    'payload',
    'session',
    'diff',
    'compare',
    'administration',
    'annotation',
    'evaluators',
    'datasets',
    'list',
    'charts',
    'shell',
    'screens',
  ],
  'services/control-plane/src': [
    'shared',
    'audit',
    'identity',
    'idempotency',
    'sessions',
    'usage',
    'events',
    'charts',
    'configurations',
    'metrics',
    'models',
    'jobs',
    'datasets',
    'runs',
    'queues',
    'retention',
    'maintenance',
    'transfers',
    'http',
  ],
  'services/data-plane/src': [
    'shared',
    'epochs',
    'deleted-projects',
    'purge',
    'freshness',
    'relocation',
    'ingest',
    'forwarding',
    'deletions',
    'retention',
    'store-limit',
    'sessions',
    'evaluations',
    'usage',
    'events',
    'queues',
    'datapoints',
    'runs',
    'charts',
    'dead-letters',
    'status',
    'migrations',
    'transfers',
    'http',
    'mcp',
  ],
  'services/evaluator/src': [
    'shared',
    'models',
    'definitions',
    'kinds',
    'deciding',
    'judging',
    'decisions',
    'metrics',
    'jobs',
    'http',
  ],
  'services/ingestion/src': [
    'idempotency',
    'rejections',
    'limits',
    'admission',
    'shared',
    'events',
    'sessions',
    'traces',
    'transfers',
    'http',
  ],
};
const folderRules = Object.entries(folderOrder).flatMap(([directory, names]) => {
  const folders = names.filter((name) => name !== '.');
  const ownFiles = names.includes('.') ? '(?!index\\.ts)[^/]+\\.ts$|' : '';
  return [
    ...folders.map((folder, level) => ({
      name: `${directory}: ${folder}/ imports only folders that precede it`,
      severity: 'error',
      from: { path: `^${directory}/${folder}/`, pathNot: tests },
      to: {
        path: `^${directory}/`,
        pathNot: `^${directory}/(${ownFiles}(${folders.slice(0, level + 1).join('|')})/)`,
      },
    })),
    {
      name: `${directory}: every folder is listed in the order`,
      severity: 'error',
      from: { path: `^${directory}/[^/]+/`, pathNot: `^${directory}/(${folders.join('|')})/` },
      to: {},
    },
  ];
});

/** A client, the folders that may import it, and whether tests may too. */
const clients = [
  ['kafkajs', ['libs/event-log/src/kafka/']],
  ['libsql', ['libs/document-store/src/embedded/']],
  ['@clickhouse/client', ['libs/event-store/src/clickhouse/', 'libs/event-store/src/chdb/']],
  ['chdb', ['libs/event-store/src/chdb/', 'test/harness/engines/clickhouse-front/']],
  ['mongodb', ['libs/document-store/src/mongodb/']],
  ['@modelcontextprotocol/server', ['services/data-plane/src/mcp/sdk/']],
  ['express', ['libs/http/src/']],
  ['@codemirror/[a-z-]+', ['services/console/src/editor/']],
  ['@grpc/grpc-js', ['libs/http/src/grpc/', 'test/harness/otlp/call-grpc']],
  ['ajv', ['libs/contracts/src/']],
  ['nunjucks', ['libs/templates/src/generate/', 'libs/http/src/server/start-page/']],
  ['protobufjs', ['libs/otlp/src/']],
  ['react-aria-components', ['services/console/src/ui/']],
  ['uplot', ['services/console/src/charts/plot']],
  ['winston', ['libs/runtime/src/log/']],
];
const clientRules = clients.map(([client, folders]) => ({
  name: `${client} is imported only in ${folders.join(' and ')}`,
  severity: 'error',
  from: {
    path: '^(libs|services|deploy|test)/',
    pathNot: [...folders.map((f) => `^${f}`), '^test/bench/', '^test/.*\\.test\\.ts$', tests],
  },
  to: { path: `(^|/)node_modules/${client}/` },
}));

module.exports = {
  forbidden: [
    ...layerRules,
    ...sameLayerRules,
    ...clientRules,
    ...folderRules,
    {
      name: 'services never import each other',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'the console imports the part of the domain for browsers, and types of the contracts',
      severity: 'error',
      from: { path: '^services/console/src/', pathNot: tests },
      to: {
        path: '^(libs|services|deploy|test)/',
        pathNot: ['^services/console/', '^libs/domain/(src|dist)/browser\\.', '^libs/contracts/'],
      },
    },
    {
      name: 'the console imports no code of the contracts',
      severity: 'error',
      from: { path: '^services/console/' },
      to: { path: '^libs/contracts/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no package imports the console',
      severity: 'error',
      from: { pathNot: '^services/console/' },
      to: { path: '^services/console/' },
    },
    {
      name: 'services do not load the embedded engine',
      severity: 'error',
      from: { path: '^services/', pathNot: tests },
      to: { path: '^libs/event-store/(src|dist)/chdb/' },
    },
    {
      name: 'only deploy and test import services',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(services|deploy|test)/' },
    },
    {
      name: 'a relative path never leaves its package',
      severity: 'error',
      from: { path: '^((?:libs|services|deploy)/[^/]+|test)/' },
      to: { dependencyTypes: ['local'], pathNot: '^$1/' },
    },
    {
      name: 'libs/testing is imported by tests only',
      severity: 'error',
      from: { path: '^(libs|services|deploy)/', pathNot: [tests, '^libs/testing/', '-contract\\.ts$'] },
      to: { path: '^libs/testing/' },
    },
    {
      name: 'test support is imported by tests only',
      severity: 'error',
      from: { path: '^(libs|services|deploy)/', pathNot: tests },
      to: { path: '^(libs|services|deploy)/[^/]+/test/' },
    },
    {
      name: 'judges open connections in libs/judges/src/outbound/ only',
      severity: 'error',
      from: { path: '^libs/judges/src/', pathNot: [tests, '^libs/judges/src/outbound/'] },
      to: { path: '^(node:)?(dgram|dns|http|http2|https|net|tls)(/|$)' },
    },
    {
      name: 'templates of users are parsed and rendered in worker threads only',
      severity: 'error',
      from: { path: '^(libs|services|deploy)/', pathNot: [tests, '^libs/templates/'] },
      to: { path: '^libs/templates/(src|dist)/', pathNot: '^libs/templates/(src|dist)/index\\.' },
    },
    {
      name: 'the renderer of templates loads the interpreter in its worker program only',
      severity: 'error',
      from: {
        path: '^libs/templates/src/((index|template-renderer)\\.ts$|workers/(?!template-worker\\.ts$))',
        pathNot: tests,
      },
      to: { path: '^libs/templates/src/(template|template-cache|render/[^/]+|syntax/[^/]+)\\.ts$' },
    },
    {
      name: 'no package imports libs/tooling',
      severity: 'error',
      from: { pathNot: '^libs/tooling/' },
      to: { path: '^libs/tooling/' },
    },
    { name: 'no import cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'every import resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'every dependency is declared in the package that imports it',
      severity: 'error',
      from: { path: '^(libs|services|deploy|test)/', pathNot: '\\.cjs$' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: '(^|/)(node_modules|dist)/' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['main', 'types'],
    },
  },
};
