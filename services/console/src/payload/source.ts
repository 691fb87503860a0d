import type { PayloadField } from '../api/payload-stream.js';
import type { DocumentRequest } from './payload-functions.js';

/** An event of which payloads are shown, and what changes when they do. */
export interface PayloadSource {
  readonly project: string;
  readonly eventId: string;
  readonly version: string;
}

export const documentOf = (source: PayloadSource, field: PayloadField): DocumentRequest => ({
  ...source,
  field,
});

/** Whether two sources are the same payloads. */
export const sourceKey = ({ project, eventId, version }: PayloadSource) => [project, eventId, version];
