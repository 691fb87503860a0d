import type { BatchResult } from '../api/datasets.js';
import { formatCount } from '../format/number.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';

interface Props {
  readonly created: number;
  readonly failed: NonNullable<BatchResult['failed']>;
  readonly onClose: () => void;
}

/** Lines of the list; the rest is counted. */
const SHOWN = 100;

/** Events from which no datapoint could be made, and why. */
export function FailedEvents({ created, failed, onClose }: Props) {
  return (
    <Dialog
      title={`${formatCount(failed.length)} ${failed.length === 1 ? 'event' : 'events'} gave no datapoint`}
      isOpen
      onClose={onClose}
    >
      <div className="dialog-body">
        <p>
          {formatCount(created)} {created === 1 ? 'datapoint is' : 'datapoints are'} in the dataset.
        </p>
        <ul className="datasets-preview" tabIndex={0} aria-label="Events without a datapoint">
          {failed.slice(0, SHOWN).map(({ event_id: id, message }) => (
            <li key={id}>
              <code>{id}</code>: {message}
            </li>
          ))}
        </ul>
        {failed.length > SHOWN && <p>and {formatCount(failed.length - SHOWN)} more</p>}
        <div className="dialog-actions">
          <Button label="Close" onPress={onClose} />
        </div>
      </div>
    </Dialog>
  );
}
