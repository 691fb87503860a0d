import { AppError } from '@assay/errors';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Returns a check of the `Origin` header, which browsers alone send. A page whose host name was made to point to this process has an
 * origin of its own, so that pages of the loopback address and of allowed origins are the only ones that pass.
 * @param isAllowed whether an origin is in the settings
 */
export function makeAssertOrigin(
  isAllowed: (origin: string) => boolean,
): (origin: string | undefined) => void {
  /** @throws AppError `FORBIDDEN` */
  return function assertOrigin(origin) {
    if (origin === undefined || isLoopback(origin) || isAllowed(origin)) return;
    throw new AppError(
      'FORBIDDEN',
      'the Origin header names no page that may use the tools, see CORS_ALLOWED_ORIGINS',
    );
  };
}

function isLoopback(origin: string): boolean {
  return URL.canParse(origin) && LOOPBACK.includes(new URL(origin).hostname);
}
