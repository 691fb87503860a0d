import type { Queue } from '../api/queues.js';
import { printName } from '../format/name.js';
import type { Field } from './fields.js';

interface Props {
  readonly queue: Queue;
  readonly fields: readonly Field[];
}

/** What annotators are asked to do: the description of the queue, and the criteria of its metrics. */
export function Guidelines({ queue, fields }: Props) {
  return (
    <section className="work-guidelines" aria-label="Guidelines">
      <h3>Guidelines</h3>
      {queue.description !== '' && <p className="work-prose">{queue.description}</p>}
      <dl>
        {fields.map(({ name, criteria }) => (
          <div key={name}>
            <dt>
              <bdi>{printName(name)}</bdi>
            </dt>
            <dd className="work-prose">{criteria}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Why events are in the queue: its filters, all of which an event matches that it took on arrival. */
export function WhyHere({ queue }: { readonly queue: Queue }) {
  const { filterArray } = queue.filters;
  return (
    <p className="work-why">
      <span>Why here: </span>
      {filterArray.length === 0 && 'added by a request, without a filter'}
      {filterArray.map((filter, at) => (
        <code key={at}>{filterText(filter)}</code>
      ))}
    </p>
  );
}

export function filterText({ field, operator, value }: Queue['filters']['filterArray'][number]): string {
  const text =
    value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return printName([field, operator ?? 'is', text].filter((part) => part !== '').join(' '));
}
