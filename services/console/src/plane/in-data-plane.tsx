import { useConsoleSession } from '../api/use-session.js';
import { Icon } from '../ui/icon.js';
import { dataPlaneLink } from './data-plane-link.js';
import './in-data-plane.css';

interface Props {
  /** What is there, such as "Scores and results". */
  readonly what: string;
  /** Path of the page of this console; the present one when absent. */
  readonly path?: string;
}

/** Says that this process does not have something, and links to it. The page itself never asks the data plane. */
export function InDataPlane({ what, path = location.pathname }: Props) {
  const base = useConsoleSession()?.data_plane_url;
  return (
    <p className="in-data-plane">
      <Icon name="lock" /> {what} stay in your data plane.{' '}
      {typeof base === 'string' ? (
        <a href={dataPlaneLink(base, path)} target="_blank" rel="noreferrer">
          Open there <Icon name="external" />
        </a>
      ) : (
        'Its console shows them.'
      )}
    </p>
  );
}
