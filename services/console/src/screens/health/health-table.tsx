import type { ReactNode } from 'react';

interface Props {
  readonly titles: readonly string[];
  /** Title of the last column, which is only read aloud. */
  readonly hiddenTitle?: string;
  /** The rows. */
  readonly children: ReactNode;
}

/** A table of the screen. */
export function HealthTable({ titles, hiddenTitle, children }: Props) {
  return (
    <table className="health-table">
      <thead>
        <tr>
          {titles.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
          {hiddenTitle !== undefined && (
            <th scope="col">
              <span className="visually-hidden">{hiddenTitle}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
