import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { getStatus } from '../api/status.js';
import { formatDuration } from '../format/duration.js';
import { useServes } from '../api/use-session.js';
import { useProject } from '../url/use-project.js';

/** The first screen is drawn before this asks. */
const FIRST_MS = 8_000;
const EVERY_MS = 15_000;
/** Rows that are this late make people doubt what they see. */
const LATE_SECONDS = 10;

/** How late the rows of queries are. */
export function StatusDot() {
  const project = useProject();
  const isServed = useServes('getStatus');
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), FIRST_MS);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery({
    queryKey: ['status', project],
    queryFn: ({ signal }) => getStatus(project, signal),
    enabled: isDue && isServed,
    refetchInterval: EVERY_MS,
  });
  const stored = data?.stages.find(({ name }) => name === 'stored');
  if (stored === undefined) return null;
  const seconds = stored.lag_seconds ?? 0;
  const isLate = seconds >= LATE_SECONDS;
  return (
    <span className={isLate ? 'status status-late' : 'status'}>
      <span aria-hidden="true">{isLate ? '!' : '●'}</span> lag {formatDuration(seconds * 1_000)}
    </span>
  );
}
