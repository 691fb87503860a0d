import { EVENT_SHAPE } from '../event-shape.js';
import type { Filter } from '../filter/filter.js';
import { filtersOfText } from '../filter/text-field.js';
import { NAME_FIELDS, type Redaction } from './redaction.js';

/**
 * Returns whether a filter may be evaluated on the stored event in place of the redacted one. It may on
 * fields that leave unchanged. On a text that leaves unchanged or empty it may if it requires a text that is
 * not empty, and the redacted event is checked afterwards: no event is excluded because of its value alone.
 */
export function decidesOnStored(filter: Filter, redaction: Redaction): boolean {
  const searched = filtersOfText(filter);
  if (searched !== undefined) return searched.every((one) => decidesOnStored(one, redaction));
  const [root] = filter.field.split(/[.[]/);
  // Of the fields that hold the name of a session, one leaves unchanged at most.
  if (root === 'session_name')
    return !redaction.allowList && !redaction.rules.has('event_name') && !redaction.rules.has('metadata');
  const declared = EVENT_SHAPE.fields.find(({ name }) => name === root);
  if (!declared) return true;
  if (redaction.rules.has(declared.name)) return false;
  if (!redaction.allowList || !declared.leaves) return true;
  // A name leaves as a token: a filter on the stored name would reveal it.
  if (redaction.allowList.forms.nameToken && NAME_FIELDS.some((name) => name === declared.name)) return false;
  const requiresText = (filter.operator === 'is' || filter.operator === 'contains') && filter.value !== '';
  return declared.type !== 'textList' && filter.type === 'string' && requiresText;
}
