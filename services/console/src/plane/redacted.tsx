import { Icon } from '../ui/icon.js';
import './redacted.css';

/** A text that the data plane has emptied before it left. */
export function Redacted() {
  return (
    <span className="redacted" title="The data plane keeps it">
      <Icon name="lock" size={12} /> redacted
    </span>
  );
}
