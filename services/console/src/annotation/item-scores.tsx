import { printName } from '../format/name.js';
import { formatValue } from '../format/number.js';
import type { WorkItem } from './item.js';

interface Props {
  readonly item: WorkItem;
  /** Names of the fields that people fill in. */
  readonly asked: ReadonlySet<string>;
  readonly isDone: boolean;
}

/** Longest value that fits beside its name. */
const MAX_SHOWN = 200;

/** What evaluators say. It is hidden until the person has decided. */
export function ItemScores({ item, asked, isDone }: Props) {
  const scores = Object.entries(item.scores).filter(([name]) => !asked.has(name));
  const truth = item.feedback['ground_truth'];
  return (
    <section className="work-scores" aria-label="Known about the item">
      {truth !== undefined && truth !== null && (
        <p className="work-prose">
          <strong>Expected</strong> {textOf(truth)}
        </p>
      )}
      {!isDone && <p className="field-hint">Scores of evaluators are hidden until the item is done.</p>}
      {isDone && (
        <dl className="detail-scores">
          {scores.map(([name, value]) => (
            <div key={name}>
              <dt>
                <bdi>{printName(name)}</bdi>
              </dt>
              <dd>{textOf(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {isDone && scores.length === 0 && <p className="field-hint">No evaluator has scored this item.</p>}
    </section>
  );
}

function textOf(value: unknown): string {
  const text = formatValue(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
