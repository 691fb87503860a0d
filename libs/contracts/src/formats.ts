import { fullFormats } from 'ajv-formats/dist/formats.js';

/** What an answer tells a client about the shape of a UUID. */
export const UUID_SHAPE = 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx';

/** A UUID of any version and variant in its hyphenated form, in either case. Older clients send ids that are not version 4. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The formats that a schema may name. */
export const FORMATS = { uuid: UUID, 'date-time': fullFormats['date-time'] } as const;
