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
    requestId: text(
      'Id of the request, as in `X-Request-Id` and in the log.',
      '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e',
    ),
  },
  { $id: 'Error', description: 'Reason for the failure.' },
);
export type ErrorBody = Static<typeof errorBody>;

/** Returns the response body of an error: its message and code, never its cause. */
export function toErrorBody(error: AppError, requestId: string): ErrorBody {
  const { status: statusCode, message, code: errorCode } = error;
  return { statusCode, message, success: false, errorCode, requestId };
}
