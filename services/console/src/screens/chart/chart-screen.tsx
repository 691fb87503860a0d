import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { allCharts, type Chart } from '../../api/charts.js';
import {
  definitionOf,
  NEW_DEFINITION,
  printDefinition,
  readDefinition,
  type Definition,
} from '../../charts/definition.js';
import { DefinitionFields } from '../../charts/definition-fields.js';
import { TimeBar } from '../../charts/time-bar.js';
import { printChartTime, readChartTime, type ChartTime } from '../../charts/use-chart-range.js';
import { Failure } from '../../ui/failure.js';
import { Notice } from '../../ui/notice.js';
import { toDateRange } from '../../url/list-view.js';
import { first } from '../../url/search.js';
import { DraftFigure } from './draft-figure.js';
import { SaveBar } from './save-bar.js';
import '../../charts/charts.css';

/** One chart: its definition, which is in the address, and what it shows. */
export function ChartScreen() {
  const { project, chart: id } = useParams({ from: '/p/$project/charts/$chart' });
  const { data, error, refetch } = useQuery({
    queryKey: ['charts', project],
    queryFn: ({ signal }) => allCharts(project, signal),
  });
  if (error !== null)
    return <Failure title="The chart could not be read" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="charts-note">Reading the chart …</p>;
  const saved = data.data.find((chart) => chart.id === id);
  if (saved === undefined && id !== 'new')
    return <Notice title="There is no such chart">It was deleted, or belongs to another project.</Notice>;
  return <ChartPage key={id} saved={saved} />;
}

function ChartPage({ saved }: { readonly saved: Chart | undefined }) {
  const { project, chart: id } = useParams({ from: '/p/$project/charts/$chart' });
  const navigate = useNavigate();
  const search = useSearch({ from: '/p/$project/charts/$chart' });
  const base = useMemo(() => (saved === undefined ? NEW_DEFINITION : definitionOf(saved)), [saved]);
  const definition = useMemo(() => readDefinition(search, base), [search, base]);
  const time = readChartTime(search);
  const name = first(search, 'name');
  const go = (next: { definition?: Definition; time?: ChartTime }) =>
    void navigate({
      ...{ to: '/p/$project/charts/$chart', params: { project, chart: id }, replace: true },
      search: {
        ...printChartTime(next.time ?? time),
        ...(next.definition !== undefined || first(search, 'metric') !== undefined
          ? printDefinition(next.definition ?? definition)
          : {}),
        name,
      },
    });
  return (
    <div className="charts" role="group" aria-label="Chart" tabIndex={0}>
      <SaveBar key={saved?.id} {...{ project, saved, definition, suggested: name }} />
      <div className="charts-head">
        <TimeBar time={time} onChange={(next) => go({ time: next })} />
      </div>
      <DefinitionFields
        {...{ definition, dateRange: toDateRange(time.range) }}
        onChange={(next) => go({ definition: next })}
      />
      <DraftFigure {...{ project, definition, time }} onChange={(next) => go({ definition: next })} />
    </div>
  );
}
