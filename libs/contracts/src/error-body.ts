import { Type, type Static } from '@sinclair/typebox';
import { ERROR_CODES, type AppError, type ErrorCode } from '@assay/errors';
import { choice, integer, text } from './schema/fields.js';

const codes = Object.keys(ERROR_CODES).filter((code): code is ErrorCode => code in ERROR_CODES);

/** JSON body of every error response. */
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

/** Returns the response body of an error: its message and code, never its cause. */
export function toErrorBody(error: AppError): ErrorBody {
  return { statusCode: error.status, message: error.message, success: false, errorCode: error.code };
}
