import type { Budget } from '../limits.js';
import { TemplateError } from '../template-error.js';
import { formatWithSpec } from '../values/format-spec.js';
import { attributeOf, itemOf } from '../values/subscript.js';
import { represent, textOf } from '../values/text.js';
import type { CallArguments, Value } from '../values/value.js';

const FIELD =
  /\{\{|\}\}|\{([^{}[\]!:]*(?:\[[^\]]*\][^{}[\]!:]*)*)(?:!([rsa]))?(?::((?:[^{}]|\{[^{}]*\})*))?\}|[{}]/g;
const STEP = /\.([^.[]+)|\[([^\]]+)\]/g;

/** Returns `text.format(…)`: replacement fields with attributes, items, conversions and formats. */
export function formatMethod(text: string, args: CallArguments, budget: Budget): Value {
  const counter = { next: 0 };
  const result = expand(text, { args, budget, counter });
  budget.text(result.length);
  return result;
}

interface Fields {
  readonly args: CallArguments;
  readonly budget: Budget;
  /** Number of the next field without a name. */
  readonly counter: { next: number };
}

function expand(text: string, fields: Fields): string {
  fields.budget.text(text.length);
  return text.replace(FIELD, (whole, name?: string, conversion?: string, spec?: string) => {
    if (whole === '{{' || whole === '}}') return whole.slice(1);
    if (whole === '{' || whole === '}') throw new TemplateError('a format has a single brace');
    fields.budget.step();
    const value = lookUp(name ?? '', fields);
    const converted = conversion === undefined ? value : convert(value, conversion, fields.budget);
    const formatted = formatWithSpec(
      converted,
      spec?.includes('{') ? expand(spec, fields) : (spec ?? ''),
      fields.budget,
    );
    fields.budget.text(formatted.length);
    return formatted;
  });
}

function lookUp(field: string, { args, budget, counter }: Fields): Value {
  const first = /^[^.[]*/.exec(field)?.[0] ?? '';
  const name = first === '' ? String(counter.next++) : first;
  let value = /^\d+$/.test(name) ? args.positional[Number(name)] : args.named.get(name);
  if (value === undefined) throw new TemplateError('a format names a missing argument');
  for (const [, attribute, item] of field.slice(first.length).matchAll(STEP)) {
    const key = item !== undefined && /^\d+$/.test(item) ? BigInt(item) : (item ?? '');
    value = attribute === undefined ? itemOf(value, key, budget) : attributeOf(value, attribute);
  }
  return value;
}

function convert(value: Value, conversion: string, budget: Budget): Value {
  return conversion === 's' ? textOf(value, budget) : represent(value, budget);
}
