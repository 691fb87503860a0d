import type { ErrorObject } from 'ajv';
import { ANNOTATOR_PATTERN } from '@assay/domain';
import { UUID_SHAPE } from './formats.js';

/**
 * Returns one sentence for a failed validation: the path of the field and the requirement, never the value
 * that was sent.
 * @param root name of the whole value, such as `body`
 */
export function validationMessage(error: ErrorObject, root: string): string {
  const path = fieldPath(error.instancePath);
  const params: Readonly<Record<string, unknown>> = error.params;
  switch (error.keyword) {
    case 'required':
      return `${join(path, String(params.missingProperty))} is required`;
    case 'additionalProperties':
      return unknownField(path, String(params.additionalProperty), error.parentSchema);
    case 'type':
      return `${path || root} must be ${typeNames(error)}`;
    default:
      return `${path || root} must ${demand(error, params)}`;
  }
}

/** Converts a JSON pointer such as `/events/2/inputs` to `events[2].inputs`. */
function fieldPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) && path !== '' ? `${path}[${part}]` : join(path, part)), '');
}

function join(path: string, name: string): string {
  const printed = printable(name);
  return path === '' ? printed : `${path}.${printed}`;
}

/** Returns a name chosen by a client in a form that is safe in a message and in a log line. */
function printable(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '?');
  return plain.length > 100 ? `${plain.slice(0, 100)}…` : plain;
}

function unknownField(path: string, name: string, parent: object | undefined): string {
  const hints: unknown = parent && 'unknownFieldHints' in parent ? parent.unknownFieldHints : undefined;
  const hint = hintFor(hints, name);
  return `${join(path, name)} is not a field of this request${hint === undefined ? '' : `: ${hint}`}`;
}

function hintFor(hints: unknown, name: string): string | undefined {
  if (typeof hints !== 'object' || hints === null || !Object.hasOwn(hints, name)) return undefined;
  return new Map<string, unknown>(Object.entries(hints)).get(name)?.toString();
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a finite number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

function typeNames(error: ErrorObject): string {
  const wanted: unknown = error.schema;
  const names = (Array.isArray(wanted) ? wanted : [wanted]).map(
    (name) => TYPE_NAMES[String(name)] ?? String(name),
  );
  const unit = isTime(error) ? ' of milliseconds' : '';
  return names.join(' or ') + unit;
}

function isTime(error: ErrorObject): boolean {
  return /(^|\/)(start_time|end_time|duration)$/.test(error.instancePath) && error.schema === 'number';
}

function demand(error: ErrorObject, params: Readonly<Record<string, unknown>>): string {
  const limit = Number(params.limit);
  switch (error.keyword) {
    case 'format':
      return params.format === 'uuid'
        ? `be a valid UUID (expected format: ${UUID_SHAPE})`
        : 'be a date and time of ISO 8601 with a zone';
    case 'pattern':
      if (params.pattern === ANNOTATOR_PATTERN) return 'be 1 to 64 letters, digits, "_" and "-"';
      return `be a valid UUID of version 4 (expected format: ${UUID_SHAPE})`;
    case 'enum':
      return `be one of ${listed(params.allowedValues)}`;
    case 'discriminator':
      return `have a known ${String(params.tag)}`;
    case 'const':
      return `be ${JSON.stringify(params.allowedValue)}`;
    case 'minimum':
      return /(^|\/)(start_time|end_time|duration)$/.test(error.instancePath)
        ? 'be milliseconds, 0 or more'
        : `be at least ${limit}`;
    case 'maximum':
      return `be at most ${limit}`;
    case 'minLength':
      return `have at least ${limit} character${limit === 1 ? '' : 's'}`;
    case 'maxLength':
      return `have at most ${limit} characters`;
    default:
      return sizeDemand(error.keyword, limit);
  }
}

function sizeDemand(keyword: string, limit: number): string {
  switch (keyword) {
    case 'minItems':
      return `have at least ${limit} item${limit === 1 ? '' : 's'}`;
    case 'maxItems':
      return `have at most ${limit} items`;
    case 'maxProperties':
      return `have at most ${limit} names`;
    default:
      return 'have another form';
  }
}

function listed(values: unknown): string {
  return Array.isArray(values)
    ? values.map((value) => JSON.stringify(value)).join(', ')
    : 'the allowed values';
}
