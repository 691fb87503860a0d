import type { BatchPreview } from '../api/datasets.js';
import { jsonText } from '../format/json-text.js';
import { printName } from '../format/name.js';
import { formatCount } from '../format/number.js';
import { previewText } from '../format/preview.js';

const PART_NAMES = { inputs: 'inputs', history: 'history', ground_truth: 'expected output' } as const;
/** Characters of a value that a row reads. */
const MAX_TEXT = 2_000;

/** What a batch will contain: how many events have each field, and the first five datapoints. */
export function BatchPreviewTable({ preview }: { readonly preview: BatchPreview }) {
  const { coverage, sampled, total, datapoints, failed } = preview;
  return (
    <section aria-label="Preview">
      <p>
        {total === 1 ? '1 event is selected' : `${formatCount(total)} events are selected`}
        {failed.length > 0 &&
          `; of the first ${formatCount(sampled)}, ${formatCount(failed.length)} give no datapoint`}
        .
      </p>
      <ul>
        {coverage.map(({ part, field, found }) => (
          <li key={`${part} ${field}`} className={found === 0 ? 'datasets-absent' : undefined}>
            <code>{printName(field)}</code> as {PART_NAMES[part]}: in {formatCount(found)} of{' '}
            {formatCount(sampled)}
            {found === 0 && ', so no datapoint has it'}
          </li>
        ))}
      </ul>
      <div className="datasets-preview" tabIndex={0} role="group" aria-label="First datapoints">
        <table className="datasets-table">
          <thead>
            <tr>
              {['Inputs', 'History', 'Expected output'].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {datapoints.map(({ event_id: id, inputs, history, ground_truth: truth }) => (
              <tr key={id}>
                <td>{textOf(inputs)}</td>
                <td>{history.length === 0 ? ABSENT : `${formatCount(history.length)} messages`}</td>
                <td>{textOf(truth)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** The event has none of the fields that the part is taken from. */
const ABSENT = <span className="muted">absent</span>;

function textOf(value: BatchPreview['datapoints'][number]['ground_truth']) {
  if (value === null || Object.keys(value).length === 0) return ABSENT;
  return <bdi>{printName(previewText(jsonText(value).slice(0, MAX_TEXT)))}</bdi>;
}
