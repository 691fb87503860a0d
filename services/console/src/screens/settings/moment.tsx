import { formatTime, isoTime } from '../../format/time.js';
import { usePreferences } from '../../theme/preferences.js';

/** A time, or that there was none. */
export function Moment({ at }: { readonly at: string | null }) {
  const { zone } = usePreferences();
  if (at === null) return <>never</>;
  const time = Date.parse(at);
  return <span title={isoTime(time)}>{formatTime(time, zone, Date.now())}</span>;
}
