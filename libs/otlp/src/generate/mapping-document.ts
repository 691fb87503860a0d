import { CONVENTIONS } from '../conventions/catalogue.js';
import { CHOICE_EVENT, CONTENT_EVENTS, MESSAGE_EVENTS } from '../conventions/gen-ai-events.js';
import { EVALUATION_EVENT } from '../conventions/evaluation.js';
import { DETAILS_EVENT } from '../conventions/gen-ai.js';
import type { Convention, Target } from '../conventions/rule.js';
import { checkedLine, checkedTable, type CheckedLibrary } from './checked-library.js';
import { groupedRules, type RuleGroup } from './grouped-rules.js';
import { MAPPING_HEAD } from './mapping-head.js';
import { wrapped } from './wrapped.js';

/** Fields with an explicit order that differs from the order of the conventions. */
const EXPLICIT_PRECEDENCE: readonly [Target, title: string][] = [
  ['fact.type', 'Event type'],
  ['fact.session', 'Session id'],
  ['fact.session_name', 'Name of the session'],
  ['fact.source', 'Source'],
  ['user_properties.user_id', 'User'],
];

/** Destination of every attribute, and the libraries that were checked, as Markdown for `docs/mapping.md`. */
export function mappingDocument(
  libraries: readonly CheckedLibrary[],
  conventions: readonly Convention[] = CONVENTIONS,
): string {
  const orders = EXPLICIT_PRECEDENCE.map(([target, title]) =>
    wrapped(`- **${title}**: ${orderOf(conventions, target)}.`, '  '),
  ).join('\n');
  const tables = conventions.map((convention) => table(convention, libraries));
  const precedence = `## Explicit precedence\n\n${orders}`;
  const sections = [MAPPING_HEAD, checkedTable(libraries), precedence, ...tables, spanEvents()];
  return sections.join('\n\n') + '\n';
}

function orderOf(conventions: readonly Convention[], target: Target): string {
  const candidates = conventions.flatMap(({ precedence, rules }) =>
    rules.flatMap((rule, row) =>
      [rule, ...(rule.also ?? [])]
        .filter(({ to }) => to === target)
        .map(({ order }) => ({ key: rule.key, order: order ?? precedence * 1000 + row })),
    ),
  );
  const sorted = candidates.sort((a, b) => a.order - b.order);
  return [...new Set(sorted.map(({ key }) => `\`${key}\``))].join(', ');
}

function table(convention: Convention, libraries: readonly CheckedLibrary[]): string {
  const head = '| Stored in | Attributes, in order of precedence |\n|---|---|';
  return [
    `## ${convention.title}`,
    `${detectionText(convention)}\n${checkedLine(convention, libraries)}`,
    `${head}\n${groupedRules(convention.rules).map(row).join('\n')}`,
  ].join('\n\n');
}

function detectionText({ always, detectors, spanNames = [] }: Convention): string {
  if (always) return 'Applies to every span.';
  const names = spanNames.map((name) => `a span name that starts with \`${name}\``);
  return wrapped(`Applies when detected: ${[...detectors.map((key) => `\`${key}\``), ...names].join(', ')}.`);
}

function row({ keys, targets, about }: RuleGroup): string {
  const names = keys.map((key) => `\`${key}\``).join(', ');
  return `| ${targets.join(', ')} | ${names}${about === '' ? '' : `: ${about}`} |`;
}

function spanEvents(): string {
  const rows: [names: readonly string[], target: string, about: string][] = [
    [[DETAILS_EVENT], 'as on the span', 'Attributes of the current form, used where the span has none'],
    [Object.keys(MESSAGE_EVENTS), '`inputs.chat_history`', 'One message each, ordered by time'],
    [[CHOICE_EVENT], '`outputs`', 'One choice each, ordered by index'],
    [Object.keys(CONTENT_EVENTS), '`inputs.chat_history`, `outputs`', 'A whole prompt or completion'],
    [
      [EVALUATION_EVENT],
      '`metrics`, `metadata.evaluations`',
      'An evaluation: score, else label, under its name; also stored on the session if `gen_ai.evaluation.scope` is `session` or `trace`',
    ],
  ];
  const lines = rows.map(
    ([names, target, about]) => `| ${names.map((name) => `\`${name}\``).join(', ')} | ${target} | ${about} |`,
  );
  const intro =
    'Log events of the same names are read like these. Any other span event is stored in `metadata.otel.events`; any other log record is not stored.';
  const head = '| Event | Stored in | Description |\n|---|---|---|';
  return `## Span events\n\n${intro}\n\n${head}\n${lines.join('\n')}`;
}
