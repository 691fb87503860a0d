import { acceptRedaction, type Redaction } from '@assay/domain';
import { valueAttributes } from '@assay/otlp';
import { ConfigError, type ConfigOf, type redactionSettings } from '@assay/runtime';

/**
 * Returns the redaction rules of the settings. Redacting values includes the span attributes that carry them,
 * where they are kept in the metadata.
 * @throws ConfigError for an invalid entry of `REDACT_FIELDS` or `REDACT_ALLOW`; the process does not start, so nothing is
 * forwarded
 */
export function redactionFromConfig({
  redactValues,
  redactFields,
  redactAllow,
}: ConfigOf<typeof redactionSettings>): Redaction {
  const attributes = valueAttributes().flatMap((key) => [`metadata.${key}`, `metadata.attributes.${key}`]);
  try {
    return acceptRedaction({
      redactValues,
      redactFields,
      quotingFields: attributes,
      allowedNames: redactAllow,
    });
  } catch (error) {
    throw new ConfigError([
      error instanceof Error ? error.message : 'REDACT_FIELDS or REDACT_ALLOW cannot be read',
    ]);
  }
}
