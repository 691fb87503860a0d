import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { Static, TSchema } from '@sinclair/typebox';
import { validationError } from '@assay/errors';
import { FORMATS } from './formats.js';
import { validationMessage } from './validation-message.js';

/**
 * Strict: a mistake in a schema fails where it is compiled, and a test compiles them all. Own properties only: an inherited name such as `toString` never
 * satisfies a schema. No coercion: "0x10" is not 16, and null is not 0. `verbose` gives the failed schema to the message.
 */
function newAjv(): Ajv {
  const ajv = new Ajv({
    strict: true,
    allErrors: false,
    coerceTypes: false,
    ownProperties: true,
    allowUnionTypes: true,
    verbose: true,
    discriminator: true,
  });
  ajv.addKeyword({ keyword: 'unknownFieldHints', schemaType: 'object' });
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format);
  return ajv;
}

/**
 * Makes the check of a schema. The check returns the value that it was given, now typed. The schema is compiled when it is first
 * needed: all of them together cost most of a second, which a start need not wait for.
 * @param root what the value is called when the failure is at its top
 * @returns throws AppError `VALIDATION_ERROR` with one sentence that names the path of the first failure
 */
export function compile<T extends TSchema>(schema: T, root = 'body'): (value: unknown) => Static<T> {
  let validate: ValidateFunction<Static<T>> | undefined;
  return function check(value) {
    validate ??= validatorOf<Static<T>>(schema);
    if (validate(value)) return value;
    throw validationError(messageOf(validate.errors, root));
  };
}

/** Compiling costs milliseconds, and several apps in one process serve the same routes. */
const validators = new WeakMap<TSchema, ValidateFunction>();

function validatorOf<T>(schema: TSchema): ValidateFunction<T> {
  const known = validators.get(schema) ?? newAjv().compile(schema);
  validators.set(schema, known);
  return known as ValidateFunction<T>;
}

function messageOf(errors: readonly ErrorObject[] | null | undefined, root: string): string {
  const first = errors?.[0];
  return first === undefined ? `${root} is not valid` : validationMessage(first, root);
}
