import { Type, type Static } from '@sinclair/typebox';
import { ERROR_CODES, type AppError, type ErrorCode } from '@assay/errors';
import { choice, integer, text } from './schema/fields.js';

const codes = Object.keys(ERROR_CODES).filter((code): code is ErrorCode => code in ERROR_CODES);

/** The JSON body of every answer that is not a success. */
export const errorBody = Type.Object(
  {
    statusCode: integer('HTTP status of the response.', 400),
    message: text('Error message.', 'event_type is required'),
    success: Type.Unsafe<false>({
      type: 'boolean',
      const: false,
      description: 'Always false.',
      examples: [false],
    }),
    errorCode: choice<ErrorCode>(codes, 'Machine-readable error code.', 'VALIDATION_ERROR'),
  },
  { $id: 'Error', description: 'Reason for the failure.' },
);
export type ErrorBody = Static<typeof errorBody>;

/** The body that tells a client about this error: its message and code, never its cause. */
export function toErrorBody(error: AppError): ErrorBody {
  return { statusCode: error.status, message: error.message, success: false, errorCode: error.code };
}
