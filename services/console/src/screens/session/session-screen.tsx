import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { SessionPage } from '../../session/session-page.js';
import { printSessionView, readSessionView, type SessionView } from '../../session/session-view.js';
import { useSession } from '../../session/use-session.js';
import { useLive } from '../../session/use-live.js';
import { Failure } from '../../ui/failure.js';
import { Notice } from '../../ui/notice.js';
import type { Search } from '../../url/search.js';

/** One session, in the view that the address names. */
export function SessionScreen() {
  const { project, session: sessionId } = useParams({ from: '/p/$project/sessions/$session' });
  const search: Search = useSearch({ from: '/p/$project/sessions/$session' });
  const navigate = useNavigate({ from: '/p/$project/sessions/$session' });
  const [pageCount, setPageCount] = useState(1);
  const { data, error, refetch } = useSession({ project, sessionId, pageCount });
  useLive(project, refetch);
  const view = readSessionView(search);
  const onView = useCallback(
    (change: Partial<SessionView>, { replace }: { readonly replace: boolean }) =>
      void navigate({
        search: (before: Search) => printSessionView({ ...readSessionView(before), ...change }),
        replace,
      }),
    [navigate],
  );
  if (data === undefined && error !== null)
    return <Failure title="The session could not be read" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="step-loading">Reading the session …</p>;
  if (data.events.ids.length === 0)
    return (
      <Notice title="This session has no events yet">They appear here as soon as they are stored.</Notice>
    );
  const readMore = () => {
    setPageCount(pageCount + 1);
    setTimeout(() => void refetch());
  };
  return (
    <SessionPage
      key={sessionId}
      project={project}
      sessionId={sessionId}
      loaded={data}
      view={view}
      onView={onView}
      onReadMore={readMore}
    />
  );
}
