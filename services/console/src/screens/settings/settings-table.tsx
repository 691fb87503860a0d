import type { ReactNode } from 'react';

interface Props {
  readonly titles: readonly string[];
  /** The rows. */
  readonly children: ReactNode;
}

/** A table of the settings. */
export function SettingsTable({ titles, children }: Props) {
  return (
    <table className="settings-table">
      <thead>
        <tr>
          {titles.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
