import { formatCount } from '../format/number.js';
import type { ListKind } from './columns.js';

interface Props {
  readonly kind: ListKind;
  readonly isPending: boolean;
  /** Whether reading has failed. */
  readonly isFailed: boolean;
  readonly isMore: boolean;
  readonly read: number;
  readonly total: { readonly value: number; readonly exact: boolean } | undefined;
}

/** How much of everything the list has read. */
export function ListFoot({ kind, isPending, isFailed, isMore, read, total }: Props) {
  if (isPending) return <p className="grid-foot">Reading {kind} …</p>;
  if (isFailed && read === 0) return null;
  const all = total === undefined ? '' : ` / ${formatCount(total.value)}${total.exact ? '' : '+'}`;
  return (
    <p className="grid-foot" role="status">
      {formatCount(read)}
      {all} {kind}
      {isMore && ' · reading more …'}
    </p>
  );
}
