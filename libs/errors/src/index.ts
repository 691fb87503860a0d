export {
  AppError,
  isRetryable,
  notFound,
  unavailable,
  validationError,
  type AppErrorOptions,
} from './app-error.js';
export { ERROR_CODES, type ErrorCode, type ErrorKind } from './error-codes.js';
export { nearestName } from './nearest-name.js';
