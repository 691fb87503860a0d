import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../../harness/stack/repository.js';
import { snippetsOf } from './snippets.js';

/** A fenced block with commands of a shell. */
export interface CommandBlock {
  /** Path relative to the repository. */
  readonly document: string;
  /** Number among the blocks of commands of the document, from 1. */
  readonly block: number;
  readonly text: string;
}

const LANGUAGES = ['sh', 'bash', 'shell', 'console', 'zsh'];
/** Folders and files with documents for users. */
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs', 'helm', 'deploy', 'test'];

/** All blocks with commands of the documentation. */
export function commandBlocks(): CommandBlock[] {
  return DOCUMENTS.flatMap(documentsIn).flatMap((document) =>
    snippetsOf(join(repository, document))
      .filter(({ language }) => LANGUAGES.includes(language))
      .map(({ text }, index) => ({ document, block: index + 1, text })),
  );
}

function documentsIn(path: string): string[] {
  if (path.endsWith('.md')) return [path];
  return readdirSync(join(repository, path), { withFileTypes: true })
    .filter((entry) => !['node_modules', 'dist'].includes(entry.name))
    .flatMap((entry) => {
      const inside = `${path}/${entry.name}`;
      return entry.isDirectory() ? documentsIn(inside) : entry.name.endsWith('.md') ? [inside] : [];
    });
}

/** Documents whose blocks have a test of their own, which fails when they have a block that it does not run. */
export const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/experiments.md': 'test/instrumentations/first-experiment.engines.test.ts',
  'docs/sending-data.md': 'test/instrumentations/sending-data.engines.test.ts',
  'docs/kubernetes.md': 'test/kubernetes/document-commands.engines.test.ts',
};

/** Blocks that no test executes, by their first line. */
export const NOT_EXECUTED: Readonly<Record<string, string>> = {
  'git clone <this repository> assay && cd assay':
    'the address is not known here; test/e2e/npm-start.test.ts runs `npm start`',
  'npm run dev            # the standalone process; compiles and restarts on change':
    'runs the tests themselves; command-blocks.test.ts checks that every script exists',
  'kubectl --namespace tracing exec deployment/assay-query -- env ASSAY_ADMIN_URL=https://127.0.0.1:8091 \\':
    'needs a pod; test/e2e/encrypted-admin.test.ts runs the command with these options',
  'python3 -m venv ~/.assay-metrics':
    'installs packages; test/instrumentations/metric-libraries.engines.test.ts installs the same requirements',
  'kafka-acls.sh --add --allow-principal User:assay-readers --operation Create --operation Describe --operation DescribeConfigs --operation Read --operation Write --operation Delete --topic assay- --resource-pattern-type prefixed':
    'changes the rights of a Kafka; test/e2e/kafka-rights.engines.test.ts runs with exactly these rights',
  'curl -X POST -H "Authorization: Bearer $ASSAY_ADMIN_TOKEN" -H \'Content-Type: application/json\' \\':
    'needs a control plane of its own; test/e2e/redacted-sessions.test.ts makes the call',
  'npx assay export "my project" ./moved   # with ASSAY_URL and ASSAY_API_KEY of where it is':
    'needs two installations; test/e2e/moving.test.ts runs these commands',
  'cosign verify --certificate-oidc-issuer https://token.actions.githubusercontent.com \\':
    'needs a published release',
};

/** Blocks that `document-commands.engines.test.ts` runs on a started product. */
export function executedBlocks(): CommandBlock[] {
  return commandBlocks().filter(
    ({ document, text }) =>
      !(document in TESTED_ELSEWHERE) && !(firstLine(text) in NOT_EXECUTED) && isExecutable(text),
  );
}

/** Whether the test has what the commands of a block need. */
function isExecutable(text: string): boolean {
  return /^(?:\w+=\$\()?curl /m.test(text) || /^npx assay /m.test(text) || /^export OTEL_/m.test(text);
}

export function firstLine(text: string): string {
  return text.split('\n', 1)[0]!;
}
