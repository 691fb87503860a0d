import { Link } from '@tanstack/react-router';
import { Button } from '../ui/button.js';
import { Notice } from '../ui/notice.js';
import { RANGES, type ListView } from '../url/list-view.js';
import { useProject } from '../url/use-project.js';
import type { ListKind } from './columns.js';
import { rangeName } from '../url/range-name.js';

interface Props {
  readonly kind: ListKind;
  readonly view: ListView;
  readonly change: (changes: Partial<ListView>) => void;
}

/** Why there are no rows, and what would show some. */
export function EmptyList({ kind, view, change }: Props) {
  const project = useProject();
  const { filters, range } = view;
  const conditions =
    filters.length === 0
      ? ''
      : ` match ${filters.length === 1 ? 'this filter' : `these ${filters.length} filters`}`;
  const wider = widerRange(range);
  return (
    <Notice
      title={`No ${kind}${conditions} in ${rangeName(range)}`}
      actions={
        <>
          {wider !== undefined && (
            <Button label={`Widen to ${rangeName(wider)}`} onPress={() => change({ range: wider })} />
          )}
          {filters.length > 0 && <Button label="Clear filters" onPress={() => change({ filters: [] })} />}
          <Link to="/p/$project/start" params={{ project }} className="button">
            Send a first trace
          </Link>
        </>
      }
    />
  );
}

function widerRange(range: ListView['range']): string | undefined {
  if (typeof range !== 'string') return '30d';
  const index = RANGES.findIndex((one) => one === range);
  return index < 0 ? '1y' : RANGES[index + 1];
}
