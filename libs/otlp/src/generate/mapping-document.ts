import { CONVENTIONS } from '../conventions/catalogue.js';
import { CHOICE_EVENT, CONTENT_EVENTS, MESSAGE_EVENTS } from '../conventions/gen-ai-events.js';
import { EVALUATION_EVENT } from '../conventions/evaluation.js';
import { DETAILS_EVENT } from '../conventions/gen-ai.js';
import type { Convention, Target } from '../conventions/rule.js';
import { checkedLine, checkedList, type CheckedLibrary } from './checked-library.js';
import { groupedRules, type RuleGroup } from './grouped-rules.js';
import { MAPPING_HEAD } from './mapping-head.js';

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
    item(`**${title}**: ${orderOf(conventions, target)}.`),
  ).join('\n');
  const lists = conventions.map((convention) => list(convention, libraries));
  const precedence = `## Explicit precedence\n\n${orders}`;
  const sections = [MAPPING_HEAD, checkedList(libraries), precedence, ...lists, spanEvents()];
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

function list(convention: Convention, libraries: readonly CheckedLibrary[]): string {
  const about = [detectionText(convention), checkedLine(convention, libraries)].filter((line) => line !== '');
  return [
    `## ${convention.title}`,
    ...(about.length === 0 ? [] : [about.join('\n')]),
    groupedRules(convention.rules).map(groupItem).join('\n'),
  ].join('\n\n');
}

function detectionText({ always, detectors, spanNames = [] }: Convention): string {
  if (always) return '';
  const names = spanNames.map((name) => `a span name that starts with \`${name}\``);
  return `Applies when detected: ${[...inCode(detectors), ...names].join(', ')}.`;
}

const groupItem = ({ keys, targets, about }: RuleGroup) =>
  item(`${targets.join(', ')}: ${inCode(keys).join(', ')}${about === '' ? '' : ` – ${about}`}`);

function spanEvents(): string {
  const events: [names: readonly string[], text: string][] = [
    [[DETAILS_EVENT], 'attributes of the current form, used where the span has none'],
    [Object.keys(MESSAGE_EVENTS), '`inputs.chat_history`, one message each, ordered by time'],
    [[CHOICE_EVENT], '`outputs`, one choice each, ordered by index'],
    [Object.keys(CONTENT_EVENTS), '`inputs.chat_history` and `outputs`, a whole prompt or completion'],
    [
      [EVALUATION_EVENT],
      '`metrics` and `metadata.evaluations`: score, else label, under its name; also stored on the session if `gen_ai.evaluation.scope` is `session` or `trace`',
    ],
  ];
  const items = events.map(([names, text]) => item(`${inCode(names).join(', ')}: ${text}`)).join('\n');
  return `## Span events\n\n${SPAN_EVENTS}\n\n${items}`;
}

const SPAN_EVENTS =
  'Log events of the same names are read like these. Other span events are stored in `metadata.otel.events`; other log records are not stored.';

const item = (text: string) => `- ${text}`;

const inCode = (names: readonly string[]) => names.map((name) => `\`${name}\``);
