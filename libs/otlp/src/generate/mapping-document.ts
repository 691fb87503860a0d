import { CONVENTIONS } from '../conventions/catalogue.js';
import { CHOICE_EVENT, CONTENT_EVENTS, MESSAGE_EVENTS } from '../conventions/gen-ai-events.js';
import { EVALUATION_EVENT } from '../conventions/evaluation.js';
import { DETAILS_EVENT } from '../conventions/gen-ai.js';
import type { AttributeRule, Convention, Target } from '../conventions/rule.js';
import { MAPPING_HEAD } from './mapping-head.js';
import { targetText } from './target-text.js';

/** Fields with an explicit order that differs from the order of the conventions. */
const OWN_ORDERS: readonly [Target, title: string][] = [
  ['fact.type', 'Event type'],
  ['fact.session', 'Session id'],
  ['fact.session_name', 'Name of the session'],
  ['fact.source', 'Source'],
  ['user_properties.user_id', 'User'],
];

/** Destination of every attribute, as Markdown for `docs/mapping.md`. */
export function mappingDocument(conventions: readonly Convention[] = CONVENTIONS): string {
  const orders = OWN_ORDERS.map(([target, title]) => `- **${title}**: ${orderOf(conventions, target)}.`).join(
    '\n',
  );
  const tables = conventions.map(table);
  return [MAPPING_HEAD, `## Orders of their own\n\n${orders}`, ...tables, spanEvents()].join('\n\n') + '\n';
}

function orderOf(conventions: readonly Convention[], target: Target): string {
  const candidates = conventions.flatMap(({ place, rules }) =>
    rules.flatMap((rule, row) =>
      [rule, ...(rule.also ?? [])]
        .filter(({ to }) => to === target)
        .map(({ order }) => ({ key: rule.key, order: order ?? place * 1000 + row })),
    ),
  );
  const sorted = candidates.sort((a, b) => a.order - b.order);
  return [...new Set(sorted.map(({ key }) => `\`${key}\``))].join(', ');
}

function table(convention: Convention): string {
  const head = '| Attribute | Goes to | What it is |\n|---|---|---|';
  return [
    `## ${convention.title}`,
    whenItHolds(convention),
    `${head}\n${convention.rules.map(row).join('\n')}`,
  ].join('\n\n');
}

function whenItHolds({ always, signs, spanNames = [] }: Convention): string {
  if (always) return 'Holds on every span.';
  const names = spanNames.map((name) => `a name that begins with \`${name}\``);
  return `Holds where a sign is seen: ${[...signs.map((sign) => `\`${sign}\``), ...names].join(', ')}.`;
}

function row(rule: AttributeRule): string {
  const places = [rule.to, ...(rule.also ?? []).map(({ to }) => to)].map(targetText);
  if (rule.keep) places.push('`metadata`, under its own key');
  return `| \`${rule.key}\` | ${[...new Set(places)].join(', ')} | ${rule.about} |`;
}

function spanEvents(): string {
  const rows: [names: readonly string[], place: string, about: string][] = [
    [[DETAILS_EVENT], 'as on the span', 'Attributes of the current form, taken where the span has none'],
    [Object.keys(MESSAGE_EVENTS), '`inputs.chat_history`', 'One message each, in the order of their times'],
    [[CHOICE_EVENT], '`outputs`', 'One choice each, in the order of their indices'],
    [Object.keys(CONTENT_EVENTS), '`inputs.chat_history`, `outputs`', 'A whole prompt or completion'],
    [
      [EVALUATION_EVENT],
      '`metrics`, `metadata.evaluations`',
      'A verdict: score, else label, under its name; of the session, too, where `gen_ai.evaluation.scope` says so',
    ],
  ];
  const lines = rows.map(
    ([names, place, about]) => `| ${names.map((name) => `\`${name}\``).join(', ')} | ${place} | ${about} |`,
  );
  return `## Span events\n\nAny other span event stays in \`metadata.otel.events\`.\n\n| Event | Goes to | What it is |\n|---|---|---|\n${lines.join('\n')}`;
}
