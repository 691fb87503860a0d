import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../format/number.js';
import { Failure } from '../ui/failure.js';
import { diffs } from './diff-client.js';
import type { DiffRequest, PayloadDiff } from './diff-functions.js';
import type { DiffPart, TextDiff } from './diff-texts.js';
import './side-by-side.css';

interface Props {
  readonly request: DiffRequest;
  readonly mode: 'words' | 'json' | 'off';
  /** What a side is, in the singular. */
  readonly what?: string;
}

/** Two payloads next to each other, with what differs. */
export function SideBySide({ request, mode, what = 'output' }: Props) {
  const { data, error, refetch } = useQuery({
    queryKey: ['diff', request],
    queryFn: () => diffs.call('diff', request),
    staleTime: 60_000,
    retry: false,
    structuralSharing: false,
  });
  if (error !== null)
    return <Failure title={`The ${what}s could not be read`} error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="diff-note">Reading both {what}s…</p>;
  return mode === 'json' ? (
    <Paths diff={data} what={what} />
  ) : (
    <TextSides diff={data.text} what={what} isCut={data.isCut} isMarked={mode === 'words'} />
  );
}

interface TextProps {
  readonly diff: TextDiff;
  /** What a side is, in the singular. */
  readonly what: string;
  /** Whether only the beginning was compared. */
  readonly isCut: boolean;
  readonly isMarked: boolean;
}

/** Two texts next to each other. */
export function TextSides({ diff, what, isCut, isMarked }: TextProps) {
  const { parts, unit } = diff;
  const hasMarks = isMarked && unit !== 'none';
  return (
    <>
      <div className="diff-sides">
        <Side {...{ label: `Old ${what}`, what, parts, leaveOut: 'added', isMarked: hasMarks }} />
        <Side {...{ label: `New ${what}`, what, parts, leaveOut: 'removed', isMarked: hasMarks }} />
      </div>
      <p className="diff-note">{noteOf(diff, what, isCut)}</p>
    </>
  );
}

function noteOf({ unit, parts }: TextDiff, what: string, isCut: boolean): string {
  const cut = isCut ? ' Only the beginning was compared.' : '';
  if (parts.every(({ kind }) => kind === 'same')) return `Both ${what}s are the same.${cut}`;
  if (unit === 'none') return `The ${what}s are too different to mark single words.${cut}`;
  return unit === 'lines' ? `Compared line by line, because the ${what}s are long.${cut}` : cut;
}

interface SideProps {
  readonly label: string;
  readonly what: string;
  readonly parts: readonly DiffPart[];
  readonly leaveOut: 'added' | 'removed';
  readonly isMarked: boolean;
}

function Side({ label, what, parts, leaveOut, isMarked }: SideProps) {
  const visible = parts.filter(({ kind }) => kind !== leaveOut);
  const isEmpty = visible.every(({ text }) => text === '');
  return (
    <div className="diff-side" role="group" aria-label={label} tabIndex={0} dir="auto">
      {isEmpty && <span className="diff-empty">no {what}</span>}
      {visible.map(({ kind, text }, at) => {
        if (kind === 'same' || !isMarked) return <span key={at}>{text}</span>;
        return kind === 'added' ? <ins key={at}>{text}</ins> : <del key={at}>{text}</del>;
      })}
    </div>
  );
}

function Paths({ diff, what }: { readonly diff: PayloadDiff; readonly what: string }) {
  const { changes, total } = diff.json;
  if (total === 0) return <p className="diff-note">Both {what}s are the same.</p>;
  return (
    <div className="diff-paths" role="group" aria-label="Changed paths" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Path</th>
            <th scope="col">Old</th>
            <th scope="col">New</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ path, before, after }) => (
            <tr key={path}>
              <th scope="row">{path === '' ? '(all)' : path.replace(/^\./, '')}</th>
              <td>{before === undefined ? '—' : <del>{before}</del>}</td>
              <td>{after === undefined ? '—' : <ins>{after}</ins>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {total > changes.length && (
        <p className="diff-note">
          {formatCount(changes.length)} of {formatCount(total)} changed paths are shown.
        </p>
      )}
    </div>
  );
}
