import { printName } from '../../format/name.js';
import type { Inspection } from './import-functions.js';

/** Columns of the sample; the table above has all. */
const MAX_COLUMNS = 12;

/** The first rows of the file, as they were read. */
export function SampleTable({ inspection }: { readonly inspection: Inspection }) {
  const columns = inspection.columns.slice(0, MAX_COLUMNS);
  if (inspection.sample.length === 0) return null;
  return (
    <div className="datasets-preview" tabIndex={0} role="group" aria-label="First rows">
      <table className="datasets-table">
        <thead>
          <tr>
            {columns.map(({ name }) => (
              <th key={name} scope="col" title={name}>
                <bdi>{printName(name)}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {inspection.sample.map((row, at) => (
            <tr key={at}>
              {columns.map(({ name }, nth) => (
                <td key={name}>
                  <bdi>{row[nth] === '' ? '—' : printName(row[nth] ?? '')}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
