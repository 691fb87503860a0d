import { useNavigate } from '@tanstack/react-router';
import type { DatapointRow, RunPair } from '../api/run-results.js';
import { useCommands } from '../keyboard/dispatch.js';
import { DIFFS, type CompareView } from './compare-view.js';

interface Keys {
  readonly pair: RunPair;
  readonly view: CompareView;
  readonly onView: (change: Partial<CompareView>, options: { readonly replace: boolean }) => void;
  readonly rows: readonly DatapointRow[];
  readonly cursor: number;
  /** Whether the address names a datapoint; without it the first press finds the first row. */
  readonly isPlaced: boolean;
  readonly onMove: (row: number) => void;
}

/** The keys of a comparison: they move from datapoint to datapoint, and choose how differences are marked. */
export function useCompareKeys({ pair, rows, cursor, isPlaced, view, onMove, onView }: Keys): void {
  const navigate = useNavigate();
  const { project } = pair;
  const move = (by: number) => () => onMove(Math.min(Math.max(cursor + by, 0), rows.length - 1));
  const jump = (wanted: string) => () => {
    const after = rows.findIndex(
      (row, at) => row.verdict === wanted && (isPlaced ? at > cursor : at >= cursor),
    );
    const next = after === -1 ? rows.findIndex((row) => row.verdict === wanted) : after;
    if (next !== -1) onMove(next);
  };
  const session = rows[cursor]?.new;
  useCommands({
    datapointNext: move(1),
    datapointPrevious: move(-1),
    worseNext: jump('worse'),
    betterNext: jump('better'),
    diffNext: () =>
      onView({ diff: DIFFS[(DIFFS.indexOf(view.diff) + 1) % DIFFS.length] ?? 'words' }, { replace: false }),
    runsSwap: () =>
      void navigate({
        to: '/p/$project/compare/$new/$old',
        params: { project, new: pair.oldRun, old: pair.newRun },
      }),
    datapointOpen: session
      ? () =>
          void navigate({
            to: '/p/$project/sessions/$session',
            params: { project, session: session.session_id },
            search: { event: session.event_id },
          })
      : undefined,
  });
}
