import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { pageOfEvents, type EventRow } from '../../api/events.js';
import type { PayloadField } from '../../api/payload-stream.js';
import { DIFFS, type DiffMode } from '../../compare/compare-view.js';
import { SideBySide } from '../../diff/side-by-side.js';
import { useCommands } from '../../keyboard/dispatch.js';
import type { DiffSearch } from '../../url/searches.js';
import { Failure } from '../../ui/failure.js';
import { Notice } from '../../ui/notice.js';
import { Segments } from './segments.js';
import { SideHead } from './side-head.js';
import { StepLists } from './step-lists.js';
import './diff-screen.css';

/** What can be compared, with what one side is called. */
const PARTS = {
  outputs: 'output',
  inputs: 'input',
  steps: 'step list',
  metadata: 'metadata object',
  config: 'configuration',
  metrics: 'metric object',
  feedback: 'feedback object',
} as const satisfies Partial<Record<PayloadField | 'steps', string>>;
type Part = keyof typeof PARTS;

const PART_LABELS: Readonly<Record<Part, string>> = {
  ...{ outputs: 'Output', inputs: 'Input', steps: 'Steps', metadata: 'Metadata' },
  ...{ config: 'Configuration', metrics: 'Metrics', feedback: 'Feedback' },
};
const DIFF_LABELS: Readonly<Record<DiffMode, string>> = {
  words: 'Words',
  json: 'JSON paths',
  off: 'No marks',
};
const COLUMNS = ['event_name', 'event_type', 'session_id', 'start_time', 'duration', 'error'];
const NUMBERS = ['metadata.total_tokens', 'metadata.cost', 'metadata.num_events', 'config.model'];

/** What a person chooses. */
interface Choice {
  readonly part: Part;
  readonly mode: DiffMode;
}

/** What the address says. */
interface View extends Choice {
  readonly a: string;
  readonly b: string;
}

/** Two events, or two sessions, side by side: one part of both, with what differs. */
export function DiffScreen() {
  const { project, a, b } = useParams({ from: '/p/$project/diff/$a/$b' });
  const { data, error, refetch } = useTwoEvents(project, [a, b]);
  const rows = [a, b].map((id) => data?.events.find(({ event_id: one }) => one === id));
  const isOfSessions = rows.every((row) => row?.event_type === 'session');
  const parts = (Object.keys(PARTS) as Part[]).filter((one) => one !== 'steps' || isOfSessions);
  const { view, choose, swap } = useView(parts);
  useCommands({
    diffNext: () =>
      choose(({ mode }) => ({ mode: DIFFS[(DIFFS.indexOf(mode) + 1) % DIFFS.length] ?? 'words' })),
    runsSwap: swap,
  });
  const [old, now] = rows;
  if (error !== null)
    return <Failure title="The events could not be read" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="diff-note">Reading both …</p>;
  if (old === undefined || now === undefined) return <Missing ids={[a, b]} rows={rows} />;
  return (
    <div className="two">
      <div className="two-tools">
        <Segments
          {...{ label: 'Part', names: parts, labels: PART_LABELS, value: view.part }}
          onChange={(part) => choose(() => ({ part }))}
        />
        <span className="space" />
        <Segments
          {...{ label: 'Differences', names: DIFFS, labels: DIFF_LABELS, value: view.mode }}
          onChange={(mode) => choose(() => ({ mode }))}
        />
      </div>
      <div className="two-heads">
        <SideHead label="Old" row={old} />
        <SideHead label="New" row={now} />
      </div>
      <Content {...{ project, view, sessions: [old.session_id ?? a, now.session_id ?? b] }} />
    </div>
  );
}

function useTwoEvents(project: string, ids: readonly string[]) {
  return useQuery({
    queryKey: ['two events', project, ids],
    queryFn: ({ signal }) =>
      pageOfEvents(
        project,
        {
          filters: [{ field: 'event_id', operator: 'in', type: 'string', value: [...ids] }],
          ...{ limit: 2, columns: [...COLUMNS, ...NUMBERS], count: 'none' },
        },
        signal,
      ),
  });
}

/** The view of the address, and how to change it. A change begins with what was chosen last, be it drawn or not. */
function useView(parts: readonly Part[]) {
  const { project, a, b } = useParams({ from: '/p/$project/diff/$a/$b' });
  const search = useSearch({ from: '/p/$project/diff/$a/$b' });
  const navigate = useNavigate({ from: '/p/$project/diff/$a/$b' });
  const read = ({ part, diff }: DiffSearch): Choice => ({
    part: parts.find((one) => one === part) ?? 'outputs',
    mode: DIFFS.find((one) => one === diff) ?? 'words',
  });
  const choose = (change: (before: Choice) => Partial<Choice>) =>
    void navigate({
      search: (before: DiffSearch) => {
        const { part, mode } = { ...read(before), ...change(read(before)) };
        return { part: part === 'outputs' ? undefined : part, diff: mode === 'words' ? undefined : mode };
      },
    });
  const swap = () =>
    void navigate({
      to: '/p/$project/diff/$a/$b',
      params: { project, a: b, b: a },
      search: (before: DiffSearch) => before,
    });
  return { view: { a, b, ...read(search) }, choose, swap };
}

interface ContentProps {
  readonly project: string;
  readonly view: View;
  /** Ids of the sessions, the old one first. */
  readonly sessions: readonly [string, string];
}

function Content({ project, view: { a, b, part, mode }, sessions: [old, now] }: ContentProps) {
  if (part === 'steps') return <StepLists {...{ project, old, now, isMarked: mode !== 'off' }} />;
  const [before, after] = [a, b].map((eventId) => ({ project, eventId, field: part }));
  return <SideBySide request={{ project, before, after }} {...{ mode, what: PARTS[part] }} />;
}

interface MissingProps {
  readonly ids: readonly string[];
  readonly rows: readonly (EventRow | undefined)[];
}

function Missing({ ids, rows }: MissingProps) {
  const missing = ids.filter((_, at) => rows[at] === undefined);
  return (
    <Notice title={missing.length === 1 ? 'One of both events is not there' : 'Neither event is there'}>
      {missing.map((id) => (
        <code key={id}>{id.slice(0, 100)} </code>
      ))}
      was deleted, has expired, or belongs to another project.
    </Notice>
  );
}
