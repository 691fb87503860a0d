import { useEffect, useState } from 'react';
import { formatCount } from '../format/number.js';

/** How long something runs already, in whole seconds. */
export function Elapsed({ since }: { readonly since: number }) {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.floor((now - since) / 1_000);
  return (
    <p className="evaluators-note">
      <span role="status">Evaluating …</span>
      {seconds > 0 && ` ${formatCount(seconds)} s`}
    </p>
  );
}
