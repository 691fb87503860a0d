import { lazy, Suspense } from 'react';
import { useServes } from '../../api/use-session.js';
import { ListScreen } from '../../list/list-screen.js';

const SessionSummaries = lazy(() =>
  import('../session-summaries/session-summaries.js').then((loaded) => ({
    default: loaded.SessionSummaries,
  })),
);

export function SessionsScreen() {
  if (useServes('pageEvents')) return <ListScreen key="sessions" kind="sessions" />;
  return (
    <Suspense>
      <SessionSummaries />
    </Suspense>
  );
}
