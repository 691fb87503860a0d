import { Link } from '@tanstack/react-router';
import type { DatapointRow, RunPair } from '../api/run-results.js';
import { SideBySide } from '../diff/side-by-side.js';
import { formatCost } from '../format/cost.js';
import { formatDuration } from '../format/duration.js';
import { formatScore } from '../format/number.js';
import { previewText } from '../format/preview.js';
import { DIFFS, type CompareView, type DiffMode } from './compare-view.js';
import './datapoint-pane.css';
import '../ui/choices.css';

const LABELS: Readonly<Record<DiffMode, string>> = { words: 'Words', json: 'JSON paths', off: 'No marks' };

interface Props {
  readonly pair: RunPair;
  readonly row: DatapointRow;
  readonly view: CompareView;
  readonly onView: (change: Partial<CompareView>) => void;
}

/** One datapoint in both runs: what was asked and expected, and both outputs side by side. */
export function DatapointPane({ pair, row, view, onView }: Props) {
  const addressOf = (side: DatapointRow['old']) =>
    side === null
      ? undefined
      : ({ project: pair.project, eventId: side.event_id, field: 'outputs' } as const);
  return (
    <section className="datapoint-pane" aria-label={`Datapoint ${row.datapoint_id}`}>
      <header className="datapoint-pane-head">
        <code>{row.datapoint_id}</code>
        <span className="datapoint-asked" title={row.inputs_preview ?? undefined}>
          <bdi>{previewText(row.inputs_preview)}</bdi>
        </span>
        {row.ground_truth_preview !== null && (
          <span className="datapoint-expected" title={row.ground_truth_preview}>
            expected <bdi>{previewText(row.ground_truth_preview)}</bdi>
          </span>
        )}
        <span className="segments" role="group" aria-label="Differences">
          {DIFFS.map((mode) => (
            <button
              key={mode}
              type="button"
              className="segment"
              aria-pressed={view.diff === mode}
              onClick={() => onView({ diff: mode })}
            >
              {LABELS[mode]}
            </button>
          ))}
        </span>
      </header>
      <div className="datapoint-sides">
        <SideHead label="Old" side={row.old} project={pair.project} />
        <SideHead label="New" side={row.new} project={pair.project} />
      </div>
      <SideBySide
        request={{ project: pair.project, before: addressOf(row.old), after: addressOf(row.new) }}
        mode={view.diff}
      />
    </section>
  );
}

interface SideProps {
  readonly label: string;
  readonly side: DatapointRow['old'];
  readonly project: string;
}

function SideHead({ label, side, project }: SideProps) {
  if (side === null)
    return (
      <div className="datapoint-side">
        <strong>{label}</strong> <span className="datapoint-missing">not in this run</span>
      </div>
    );
  const scores = Object.entries(side.metrics).map(([name, value]) => `${name} ${scoreText(value)}`);
  return (
    <div className="datapoint-side">
      <strong>{label}</strong>{' '}
      <Link
        to="/p/$project/sessions/$session"
        params={{ project, session: side.session_id }}
        search={{ event: side.event_id }}
        className="datapoint-link"
      >
        session {side.session_id.slice(0, 8)}
      </Link>
      <span className="datapoint-facts">
        {[formatDuration(side.duration), side.cost === null ? '' : formatCost(side.cost), ...scores]
          .filter((text) => text !== '')
          .join(' · ')}
      </span>
      {side.error !== null && <span className="datapoint-error">✕ {side.error}</span>}
    </div>
  );
}

function scoreText(value: unknown): string {
  return formatScore(typeof value === 'number' ? value : undefined);
}
