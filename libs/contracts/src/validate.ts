import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { Static, TSchema } from '@sinclair/typebox';
import { validationError } from '@assay/errors';
import { FORMATS } from './formats.js';
import { withPlainNumbers } from './plain-numbers.js';
import { validationMessage } from './validation-message.js';

/**
 * Returns an ajv instance for one schema: ajv keeps the names of those that it has compiled. `strict` makes an
 * invalid schema fail when it is compiled; a test compiles all of them. `ownProperties`: an inherited name such
 * as `toString` never satisfies a schema. No coercion: "0x10" is not 16, and null is not 0. `verbose` passes the
 * failed schema to the error message. `checkSchema` has compared the schema with the meta-schema.
 */
function newAjv(): Ajv {
  const ajv = new Ajv({
    meta: false,
    validateSchema: false,
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
 * Returns a function that validates a value against the schema and returns it typed. The function throws
 * AppError `VALIDATION_ERROR` with one sentence that names the path of the first failure. The schema is
 * compiled on first use, because compiling all schemas would add most of a second to the start.
 * @param root name of the whole value in the message, such as `body`
 */
export function compile<T extends TSchema>(schema: T, root = 'body'): (value: unknown) => Static<T> {
  let validate: ValidateFunction<Static<T>> | undefined;
  return function check(value) {
    validate ??= validatorOf<Static<T>>(schema);
    if (validate(value)) return value;
    const { errors } = validate;
    if (hasBigint(errors) && validate(withPlainNumbers(schema, value))) return value;
    throw validationError(messageOf(validate.errors, root));
  };
}

/**
 * Cache of compiled schemas. Compiling takes milliseconds, and several apps in one process serve the same
 * routes.
 */
const validators = new WeakMap<TSchema, ValidateFunction>();

function validatorOf<T>(schema: TSchema): ValidateFunction<T> {
  const known = validators.get(schema) ?? compileChecked(schema);
  validators.set(schema, known);
  return known as ValidateFunction<T>;
}

function compileChecked(schema: TSchema): ValidateFunction {
  checkSchema(schema);
  return newAjv().compile(schema);
}

let metaSchema: Ajv | undefined;

/** Compares a schema with the meta-schema of JSON Schema, which is compiled once: that takes longer than a schema. @throws if it is invalid */
function checkSchema(schema: TSchema): void {
  metaSchema ??= new Ajv();
  if (metaSchema.validateSchema(schema) === true) return;
  throw new Error(`schema is invalid: ${metaSchema.errorsText()}`);
}

/** Whether the schema refuses an integer only because a number does not hold it digit for digit. */
function hasBigint(errors: readonly ErrorObject[] | null | undefined): boolean {
  return errors?.some(({ data }) => typeof data === 'bigint') ?? false;
}

function messageOf(errors: readonly ErrorObject[] | null | undefined, root: string): string {
  const first = errors?.[0];
  return first === undefined ? `${root} is not valid` : validationMessage(first, root);
}
