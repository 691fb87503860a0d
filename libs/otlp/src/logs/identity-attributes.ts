import { CONVENTIONS } from '../conventions/catalogue.js';
import type { AttributeRule, Target } from '../conventions/rule.js';
import type { Attributes } from '../messages.js';

/** Facts that become a field of the event itself, of which the span brings its own. */
const OF_SPAN = new Set<Target>([
  'fact.session',
  'fact.session_name',
  'fact.event_id',
  'fact.event_name',
  'fact.parent_id',
  'fact.source',
  'fact.error',
  'fact.error_message',
]);
const KEYS = new Set(
  CONVENTIONS.flatMap(({ rules }) => rules.filter(isOfSpan).map(({ key }) => key)).filter(
    (key) => !key.endsWith('*'),
  ),
);

function isOfSpan({ to, also = [] }: AttributeRule): boolean {
  return OF_SPAN.has(to) || also.some((destination) => OF_SPAN.has(destination.to));
}

/** The attributes of a log record that name what its span is: its session, its name, its source and its error. */
export function* identityAttributes(attributes: Attributes) {
  for (const attribute of attributes) if (KEYS.has(attribute[0])) yield attribute;
}
