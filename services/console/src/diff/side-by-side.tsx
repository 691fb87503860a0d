import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../format/number.js';
import { Failure } from '../ui/failure.js';
import { diffs } from './diff-client.js';
import type { DiffRequest, PayloadDiff } from './diff-functions.js';
import type { DiffPart } from './diff-texts.js';
import './side-by-side.css';

interface Props {
  readonly request: DiffRequest;
  readonly mode: 'words' | 'json' | 'off';
}

/** The outputs of both runs next to each other, with what differs. */
export function SideBySide({ request, mode }: Props) {
  const { data, error, refetch } = useQuery({
    queryKey: ['diff', request],
    queryFn: () => diffs.call('diff', request),
    staleTime: 60_000,
    retry: false,
    structuralSharing: false,
  });
  if (error !== null)
    return <Failure title="The outputs could not be read" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="diff-note">Reading both outputs…</p>;
  return mode === 'json' ? <Paths diff={data} /> : <Texts diff={data} isMarked={mode === 'words'} />;
}

function Texts({ diff, isMarked }: { readonly diff: PayloadDiff; readonly isMarked: boolean }) {
  const { parts, unit } = diff.text;
  const isSame = parts.every(({ kind }) => kind === 'same');
  return (
    <>
      <div className="diff-sides">
        <Side label="Old output" parts={parts} leaveOut="added" isMarked={isMarked && unit !== 'none'} />
        <Side label="New output" parts={parts} leaveOut="removed" isMarked={isMarked && unit !== 'none'} />
      </div>
      <p className="diff-note">{noteOf(diff, isSame)}</p>
    </>
  );
}

function noteOf({ text, isCut }: PayloadDiff, isSame: boolean): string {
  const cut = isCut ? ' Only the beginning was compared.' : '';
  if (isSame) return `Both outputs are the same.${cut}`;
  if (text.unit === 'none') return `The outputs are too different to mark single words.${cut}`;
  return text.unit === 'lines' ? `Compared line by line, because the outputs are long.${cut}` : cut;
}

interface SideProps {
  readonly label: string;
  readonly parts: readonly DiffPart[];
  readonly leaveOut: 'added' | 'removed';
  readonly isMarked: boolean;
}

function Side({ label, parts, leaveOut, isMarked }: SideProps) {
  const visible = parts.filter(({ kind }) => kind !== leaveOut);
  const isEmpty = visible.every(({ text }) => text === '');
  return (
    <div className="diff-side" role="group" aria-label={label} tabIndex={0} dir="auto">
      {isEmpty && <span className="diff-empty">no output</span>}
      {visible.map(({ kind, text }, at) => {
        if (kind === 'same' || !isMarked) return <span key={at}>{text}</span>;
        return kind === 'added' ? <ins key={at}>{text}</ins> : <del key={at}>{text}</del>;
      })}
    </div>
  );
}

function Paths({ diff }: { readonly diff: PayloadDiff }) {
  const { changes, total } = diff.json;
  if (total === 0) return <p className="diff-note">Both outputs are the same.</p>;
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
