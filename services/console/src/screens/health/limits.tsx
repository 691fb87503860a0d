import type { Status } from '../../api/status.js';
import { formatBytes } from '../../format/bytes.js';
import { formatValue } from '../../format/number.js';
import { printName } from '../../format/name.js';

/** The limits of the process by name, with the sizes that have one in their name as such. */
export function Limits({ limits }: { readonly limits: Status['limits'] }) {
  return (
    <dl className="health-facts">
      {Object.entries(limits).map(([name, value]) => (
        <div key={name}>
          <dt>{printName(name.replaceAll('_', ' '))}</dt>
          <dd>
            {typeof value === 'number' && name.includes('bytes') ? formatBytes(value) : formatValue(value)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
