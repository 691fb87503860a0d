import { acceptRedaction, type Redaction } from '@assay/domain';
import { valueAttributes } from '@assay/otlp';
import { ConfigError, type ConfigOf, type redactionSettings } from '@assay/runtime';

/**
 * What the settings say about redaction. With the values go the span attributes that carry them, where they stayed in the metadata.
 * @throws ConfigError when an entry of `REDACT_FIELDS` makes no sense: nothing starts, so nothing is forwarded
 */
export function redactionFromConfig({
  redactValues,
  redactFields,
}: ConfigOf<typeof redactionSettings>): Redaction {
  const attributes = valueAttributes().flatMap((key) => [`metadata.${key}`, `metadata.attributes.${key}`]);
  try {
    return acceptRedaction({ redactValues, redactFields, quotingFields: attributes });
  } catch (error) {
    throw new ConfigError([error instanceof Error ? error.message : 'REDACT_FIELDS cannot be read']);
  }
}
