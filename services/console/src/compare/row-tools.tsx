import { formatCount } from '../format/number.js';
import { keyNames } from '../keyboard/commands.js';
import { SELECTIONS, SORTS, type CompareView, type Selection } from './compare-view.js';
import '../ui/choices.css';

const SORT_LABELS = { loss: 'largest loss', gain: 'largest gain', datapoint: 'as in the old run' } as const;

interface ToolsProps {
  readonly view: CompareView;
  readonly counts: Readonly<Record<Selection, number>> | undefined;
  readonly onView: (change: Partial<CompareView>) => void;
}

const SELECTION_LABELS: Readonly<Record<Selection, string>> = {
  worse: '▼ worse',
  better: '▲ better',
  same: '= same',
  missing: '○ missing',
  error: '✕ errors',
};

/** Which datapoints are listed, and in which order. */
export function RowTools({ view, counts, onView }: ToolsProps) {
  const toggle = (one: Selection) => {
    const others = view.only.filter((other) => other !== one);
    onView({
      only:
        others.length === view.only.length
          ? SELECTIONS.filter((other) => other === one || view.only.includes(other))
          : others,
    });
  };
  return (
    <div className="compare-tools" role="toolbar" aria-label="Datapoints">
      {SELECTIONS.map((one) => (
        <button
          key={one}
          type="button"
          className="pill"
          aria-pressed={view.only.includes(one)}
          onClick={() => toggle(one)}
        >
          {SELECTION_LABELS[one]} <span className="pill-count">{formatCount(counts?.[one])}</span>
        </button>
      ))}
      <label className="compare-choice">
        sort{' '}
        <select
          value={view.sort}
          onChange={({ target }) => onView({ sort: SORTS.find((one) => one === target.value) ?? 'loss' })}
        >
          {SORTS.map((one) => (
            <option key={one} value={one}>
              {SORT_LABELS[one]}
            </option>
          ))}
        </select>
      </label>
      <span className="compare-by">by {view.metric ?? 'whether all scores passed'}</span>
      <span className="space" />
      <span className="compare-hints">
        {(['datapointNext', 'worseNext', 'betterNext', 'diffNext', 'datapointOpen'] as const).map((id) => (
          <span key={id}>
            <kbd>{keyNames(id)[0]}</kbd> {HINTS[id]}
          </span>
        ))}
      </span>
    </div>
  );
}

const HINTS = {
  datapointNext: 'row',
  worseNext: 'next worse',
  betterNext: 'next better',
  diffNext: 'diff',
  datapointOpen: 'open',
} as const;
