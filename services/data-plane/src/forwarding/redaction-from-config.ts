import { acceptRedaction, type Redaction } from '@assay/domain';
import { valueAttributes } from '@assay/otlp';
import { ConfigError, type ConfigOf, type redactionSettings } from '@assay/runtime';

/**
 * Returns the redaction rules of the settings. Redacting values includes the span attributes that carry them,
 * where they are kept in the metadata.
 * @throws ConfigError for an invalid entry of `REDACT_FIELDS` or `REDACT_ALLOW`, and for settings that need another one; the process does not start, so nothing is
 * forwarded
 */
export function redactionFromConfig({
  redactValues,
  redactFields,
  redactAllow,
  redactNames,
  redactNamesKey,
  redactNumbers,
}: ConfigOf<typeof redactionSettings>): Redaction {
  const attributes = valueAttributes().flatMap((key) => [`metadata.${key}`, `metadata.attributes.${key}`]);
  if (redactNames && redactNamesKey === undefined)
    throw new ConfigError(['REDACT_NAMES needs REDACT_NAMES_KEY, at least 32 random characters']);
  try {
    return acceptRedaction({
      redactValues,
      redactFields,
      quotingFields: attributes,
      allowedNames: redactAllow,
      ...(redactNames && { namesKey: redactNamesKey }),
      redactNumbers,
    });
  } catch (error) {
    throw new ConfigError([
      error instanceof Error ? error.message : 'REDACT_FIELDS or REDACT_ALLOW cannot be read',
    ]);
  }
}
