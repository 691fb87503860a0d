import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { usageOf, type Usage } from '../../api/summaries.js';
import { formatCost } from '../../format/cost.js';
import { printName } from '../../format/name.js';
import { formatCount, formatTokens } from '../../format/number.js';
import { Failure } from '../../ui/failure.js';
import { Notice } from '../../ui/notice.js';
import { RangeSelect } from '../../ui/range-select.js';
import { printListView, readListView, toDateRange, type ListView } from '../../url/list-view.js';
import { useProject } from '../../url/use-project.js';
import '../runs/runs.css';

const TITLES = ['Sessions', 'Events', 'Model calls', 'Errors', 'Prompt tokens', 'Completion tokens', 'Cost'];

/** What the project used on each day, by what its data planes forwarded. */
export function UsageScreen() {
  const project = useProject();
  const navigate = useNavigate();
  const view = readListView(useSearch({ from: '/p/$project/usage' }));
  const dateRange = toDateRange(view.range);
  const { data, error, refetch } = useQuery({
    queryKey: ['usage', project, dateRange],
    queryFn: ({ signal }) => usageOf(project, dateRange, signal),
  });
  const change = (changes: Partial<ListView>) =>
    void navigate({
      ...{ to: '/p/$project/usage', params: { project }, search: printListView({ ...view, ...changes }) },
    });
  return (
    <div className="runs" role="group" aria-label="Usage" tabIndex={0}>
      <div className="runs-note">
        <RangeSelect range={view.range} onChange={(range) => change({ range })} /> by day in UTC
      </div>
      {error !== null && (
        <Failure {...{ title: 'The usage could not be read', error }} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <p className="runs-note">Reading the usage …</p>}
      {data?.days.length === 0 && <Notice title="No events and no sessions in this time" />}
      {data !== undefined && data.days.length > 0 && <UsageTable usage={data} />}
    </div>
  );
}

function UsageTable({ usage: { days, total } }: { readonly usage: Usage }) {
  return (
    <table className="runs-table">
      <thead>
        <tr>
          <th scope="col">Day</th>
          {TITLES.map((title) => (
            <th key={title} scope="col" data-align="end">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map((day) => (
          <UsageRow key={day.day} title={day.day} amounts={day} />
        ))}
        <UsageRow title="all days" amounts={total} />
      </tbody>
    </table>
  );
}

function UsageRow({ title, amounts }: { readonly title: string; readonly amounts: Usage['total'] }) {
  const { unpriced_models: unpriced } = amounts;
  const texts = [
    formatCount(amounts.num_sessions),
    formatCount(amounts.num_events),
    formatCount(amounts.num_model_events),
    formatCount(amounts.num_errors),
    formatTokens(amounts.prompt_tokens),
    formatTokens(amounts.completion_tokens),
    formatCost(amounts.cost),
  ];
  const unknown = unpriced.length === 0 ? undefined : `no price of ${printName(unpriced.join(', '))}`;
  return (
    <tr title={unknown}>
      <th scope="row">{title}</th>
      {texts.map((text, at) => (
        <td key={TITLES[at]} data-align="end">
          {text}
        </td>
      ))}
    </tr>
  );
}
