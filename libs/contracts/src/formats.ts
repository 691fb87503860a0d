import { fullFormats } from 'ajv-formats/dist/formats.js';

/** Shape of a UUID as error messages show it. */
export const UUID_SHAPE = 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx';

/**
 * Matches a hyphenated UUID of any version and variant, in either case. Older clients send ids that are not
 * version 4.
 */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Formats that a schema may use. */
export const FORMATS = { uuid: UUID, 'date-time': fullFormats['date-time'] } as const;
