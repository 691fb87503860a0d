import type { Logger } from '@assay/runtime';

const ignore = () => undefined;

/** A logger that writes nothing, for tests that provoke warnings. */
export const silentLogger: Logger = { error: ignore, warn: ignore, info: ignore, debug: ignore };
