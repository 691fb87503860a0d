import { useInfiniteQuery } from '@tanstack/react-query';
import { pageOfSummaries, type SessionSummary, type SummaryPage } from '../../api/summaries.js';
import { formatDuration } from '../../format/duration.js';
import { printName } from '../../format/name.js';
import { formatCount, formatScore } from '../../format/number.js';
import { formatTime, isoTime } from '../../format/time.js';
import { useListView } from '../../list/use-list-view.js';
import { dataPlaneLink } from '../../plane/data-plane-link.js';
import { InDataPlane } from '../../plane/in-data-plane.js';
import { Redacted } from '../../plane/redacted.js';
import { usePreferences } from '../../theme/preferences.js';
import { useConsoleSession } from '../../api/use-session.js';
import { Button } from '../../ui/button.js';
import { Failure } from '../../ui/failure.js';
import { Notice } from '../../ui/notice.js';
import { RangeSelect } from '../../ui/range-select.js';
import { toDateRange } from '../../url/list-view.js';
import { useProject } from '../../url/use-project.js';
import '../runs/runs.css';

const NUMBERS = ['Duration', 'Events', 'Model calls', 'Tools', 'Errors'] as const;
/** Metrics that a row has room for. */
const METRICS = 3;

/** Sessions of a process that has no events: what the data plane forwards of each. */
export function SessionSummaries() {
  const project = useProject();
  const { view, change } = useListView('sessions');
  const dateRange = toDateRange(view.range);
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery({
    queryKey: ['session summaries', project, dateRange],
    queryFn: ({ signal, pageParam }) => pageOfSummaries(project, { dateRange, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
  });
  const sessions = data?.pages.flatMap((page) => page.sessions) ?? [];
  return (
    <div className="runs" role="group" aria-label="Sessions" tabIndex={0}>
      <div className="runs-note">
        <RangeSelect range={view.range} onChange={(range) => change({ range })} />
        <InDataPlane what="Steps, inputs and outputs" />
      </div>
      {error !== null && (
        <Failure {...{ title: 'The sessions could not be read', error }} onRetry={() => void refetch()} />
      )}
      {data !== undefined && sessions.length === 0 && <Notice title="No sessions in this time" />}
      {sessions.length > 0 && <SummaryTable project={project} pages={data?.pages ?? []} />}
      <p className="runs-note">
        {data === undefined && error === null
          ? 'Reading sessions …'
          : `${formatCount(sessions.length)} sessions`}
        {hasNextPage && (
          <Button
            {...{ label: isFetching ? 'Reading …' : 'Show older', isDisabled: isFetching }}
            onPress={() => void fetchNextPage()}
          />
        )}
      </p>
    </div>
  );
}

interface TableProps {
  readonly project: string;
  readonly pages: readonly SummaryPage[];
}

function SummaryTable({ project, pages }: TableProps) {
  return (
    <table className="runs-table">
      <thead>
        <tr>
          {['Time', 'Name', 'Source'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
          {NUMBERS.map((title) => (
            <th key={title} scope="col" data-align="end">
              {title}
            </th>
          ))}
          <th scope="col">Metrics</th>
        </tr>
      </thead>
      <tbody>
        {pages.flatMap(({ sessions, redacted }) =>
          sessions.map((session) => (
            <SummaryRow key={session.session_id} {...{ project, session, isRedacted: redacted }} />
          )),
        )}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly project: string;
  readonly session: SessionSummary;
  readonly isRedacted: boolean;
}

function SummaryRow({ project, session, isRedacted }: RowProps) {
  const { zone } = usePreferences();
  const base = useConsoleSession()?.data_plane_url;
  const { session_id: id, session_name: name, start_time: start, metrics } = session;
  const title = name === '' && isRedacted ? <Redacted /> : <bdi>{printName(name)}</bdi>;
  const path = `/console/p/${encodeURIComponent(project)}/sessions/${encodeURIComponent(id)}`;
  const numbers = [
    formatDuration(session.duration ?? undefined),
    formatCount(session.num_events),
    formatCount(session.num_model_events),
    formatCount(session.num_tool_events),
    formatCount(session.num_errors),
  ];
  return (
    <tr>
      <td title={isoTime(start)}>{formatTime(start, zone, Date.now())}</td>
      <th scope="row" title={id}>
        {typeof base === 'string' ? (
          <a {...{ href: dataPlaneLink(base, path), target: '_blank', rel: 'noreferrer' }}>{title}</a>
        ) : (
          title
        )}
      </th>
      <td>{session.source === '' && isRedacted ? <Redacted /> : <bdi>{printName(session.source)}</bdi>}</td>
      {numbers.map((text, at) => (
        <td key={NUMBERS[at]} data-align="end">
          {text}
        </td>
      ))}
      <td>
        {metrics.slice(0, METRICS).map(({ name: metric, sum, count }) => (
          <span key={metric} className="runs-metric" title={`mean of ${formatCount(count)}`}>
            <bdi>{printName(metric)}</bdi> <strong>{formatScore(sum / count)}</strong>
          </span>
        ))}
        {metrics.length > METRICS && <span className="runs-metric">+{metrics.length - METRICS}</span>}
      </td>
    </tr>
  );
}
