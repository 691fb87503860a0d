import { useQuery } from '@tanstack/react-query';
import { readTreePage, type TreePage } from '../../api/session-tree.js';
import { diffs } from '../../diff/diff-client.js';
import { TextSides } from '../../diff/side-by-side.js';
import { printName } from '../../format/name.js';
import { Failure } from '../../ui/failure.js';

interface Props {
  readonly project: string;
  /** Ids of the sessions. */
  readonly old: string;
  readonly now: string;
  readonly isMarked: boolean;
}

/** What both sessions did, step by step: type and name of their events, in the order of their start. */
export function StepLists({ project, old, now, isMarked }: Props) {
  const { data, error, refetch } = useQuery({
    queryKey: ['step lists', project, old, now],
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        [old, now].map((sessionId) => readTreePage({ project, sessionId, signal })),
      );
      const [before = '', after = ''] = pages.map((tagged) =>
        tagged === undefined ? '' : stepsOf(tagged.page),
      );
      const isCut = pages.some((tagged) => tagged !== undefined && tagged.page.next_cursor !== null);
      return { isCut, diff: await diffs.call('texts', { before, after }) };
    },
    retry: false,
  });
  if (error !== null)
    return <Failure title="The steps could not be read" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="diff-note">Reading both step lists…</p>;
  return <TextSides diff={data.diff} what="step list" isCut={data.isCut} isMarked={isMarked} />;
}

/** One line for each event. */
function stepsOf({ events, names, types }: TreePage): string {
  return events.name
    .map((name, row) => `${types[events.type[row] ?? 0] ?? ''} ${printName(names[name] ?? '')}\n`)
    .join('');
}
