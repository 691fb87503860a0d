import { useState } from 'react';
import { printName } from '../../format/name.js';
import { formatCount } from '../../format/number.js';
import { Button } from '../../ui/button.js';
import type { Role } from './datapoint-rows.js';
import type { InspectedColumn } from './import-functions.js';

interface Props {
  readonly columns: readonly InspectedColumn[];
  readonly roles: ReadonlyMap<string, Role>;
  readonly onChange: (name: string, role: Role) => void;
}

const ROLES: Readonly<Record<Role, string>> = {
  inputs: 'inputs',
  ground_truth: 'expected output',
  metadata: 'metadata',
  history: 'history',
  none: 'left out',
};
const PAGE = 50;

/** Which column becomes which part of a datapoint. */
export function ColumnRoles({ columns, roles, onChange }: Props) {
  const [visible, setVisible] = useState(PAGE);
  return (
    <div className="datasets-preview" tabIndex={0} role="group" aria-label="Columns">
      <table className="datasets-table">
        <thead>
          <tr>
            {['Column', 'Rows with a value', 'Becomes'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {columns.slice(0, visible).map(({ name, found }) => (
            <tr key={name}>
              <th scope="row" title={name}>
                <bdi>{printName(name)}</bdi>
              </th>
              <td className={found === 0 ? 'datasets-absent' : undefined}>{formatCount(found)}</td>
              <td>
                <select
                  className="input"
                  aria-label={`Part for ${printName(name)}`}
                  value={roles.get(name)}
                  onChange={(event) => onChange(name, event.target.value as Role)}
                >
                  {Object.entries(ROLES).map(([role, title]) => (
                    <option key={role} value={role}>
                      {title}
                    </option>
                  ))}
                </select>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {columns.length > visible && (
        <Button
          {...{ kind: 'quiet', label: `Show more of ${formatCount(columns.length)} columns` }}
          onPress={() => setVisible(visible + PAGE)}
        />
      )}
    </div>
  );
}
