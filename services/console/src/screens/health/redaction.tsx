import type { Status } from '../../api/status.js';
import { printName } from '../../format/name.js';

/** What is removed from events before they are forwarded. */
export function Redaction({ redaction }: { readonly redaction: Status['redaction'] }) {
  const { redact_values: values, redact_names: names, redact_numbers: numbers } = redaction;
  return (
    <dl className="health-facts">
      <dt>Values of inputs and outputs</dt>
      <dd>{values ? 'are removed' : 'are forwarded'}</dd>
      <dt>Names of events, sessions and sources</dt>
      <dd>{names ? 'are replaced by tokens' : 'are forwarded'}</dd>
      <dt>Numbers</dt>
      <dd>{numbers ? 'only those under known names are forwarded' : 'are forwarded'}</dd>
      {redaction.redact_fields.length > 0 && (
        <>
          <dt>Further fields that are removed</dt>
          <dd>
            {redaction.redact_fields.map((field) => (
              <code key={field}>{printName(field)}</code>
            ))}
          </dd>
        </>
      )}
    </dl>
  );
}
