import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { allCharts, dataOfChart, type Chart } from '../../api/charts.js';
import { useMay, useServes } from '../../api/use-session.js';
import { ChartFigure, useBefore } from '../../charts/chart-figure.js';
import { definitionOf, describeDefinition, printDefinition, rangeBefore } from '../../charts/definition.js';
import { makeTurns } from '../../charts/in-turns.js';
import { READY_CHARTS } from '../../charts/ready-charts.js';
import { TimeBar } from '../../charts/time-bar.js';
import { printChartTime, readChartTime, useTimezone, type ChartTime } from '../../charts/use-chart-range.js';
import { printName } from '../../format/name.js';
import { InDataPlane } from '../../plane/in-data-plane.js';
import { Failure } from '../../ui/failure.js';
import { Notice } from '../../ui/notice.js';
import { toDateRange } from '../../url/list-view.js';
import { useProject } from '../../url/use-project.js';
import '../../charts/charts.css';

/** Requests of data that the page has under way at a time: each reads a range of events. */
const inTurn = makeTurns(2);
const HEIGHT = 160;

/** All charts of the project, in one range. */
export function ChartsScreen() {
  const project = useProject();
  const navigate = useNavigate();
  const time = readChartTime(useSearch({ from: '/p/$project/charts' }));
  const { data, error, refetch } = useQuery({
    queryKey: ['charts', project],
    queryFn: ({ signal }) => allCharts(project, signal),
  });
  const change = (next: ChartTime) =>
    void navigate({ to: '/p/$project/charts', params: { project }, search: printChartTime(next) });
  const hasData = useServes('getChartData');
  if (error !== null)
    return <Failure title="The charts could not be read" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="charts-note">Reading charts …</p>;
  if (!hasData) return <ChartDefinitions charts={data.data} />;
  return (
    <div className="charts" role="group" aria-label="Charts" tabIndex={0}>
      <div className="charts-head">
        <TimeBar time={time} onChange={change} />
        <Link
          {...{ to: '/p/$project/charts/$chart', params: { project, chart: 'new' }, className: 'button' }}
          search={printChartTime(time)}
        >
          New chart
        </Link>
      </div>
      {data.data.length === 0 && (
        <Notice title="No charts yet">
          A chart draws one value of events over time: a duration, a cost, a score, or how many there are.
        </Notice>
      )}
      <ReadyCharts time={time} charts={data.data} />
      <div className="charts-grid">
        {data.data.map((chart) => (
          <ChartCard key={chart.id} chart={chart} time={time} />
        ))}
      </div>
    </div>
  );
}

/** What the charts are made of, in a process that has no events to draw. */
function ChartDefinitions({ charts }: { readonly charts: readonly Chart[] }) {
  return (
    <div className="charts" role="group" aria-label="Charts" tabIndex={0}>
      <InDataPlane what="The numbers of charts" />
      {charts.length === 0 && <Notice title="No charts yet" />}
      <ul className="charts-list">
        {charts.map((chart) => (
          <li key={chart.id}>
            <bdi>{printName(chart.name)}</bdi>
            <bdi className="charts-note">{printName(describeDefinition(definitionOf(chart)))}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Charts that most projects want, as long as the project has none of the name. */
function ReadyCharts({ time, charts }: { readonly time: ChartTime; readonly charts: readonly Chart[] }) {
  const project = useProject();
  const mayWrite = useMay('charts:write');
  const offered = READY_CHARTS.filter(({ name }) => charts.every((chart) => chart.name !== name));
  if (!mayWrite || offered.length === 0) return null;
  return (
    <p className="charts-note">
      Ready to look at:
      {offered.map(({ name, definition }) => (
        <Link
          key={name}
          {...{ to: '/p/$project/charts/$chart', params: { project, chart: 'new' } }}
          search={{ ...printChartTime(time), ...printDefinition(definition), name }}
        >
          {name}
        </Link>
      ))}
    </p>
  );
}

function ChartCard({ chart, time }: { readonly chart: Chart; readonly time: ChartTime }) {
  const project = useProject();
  const timezone = useTimezone();
  const dateRange = toDateRange(time.range);
  const key = [project, chart.id, chart.updated_at, dateRange, timezone];
  const { data, error, refetch } = useQuery({
    queryKey: ['chart data', ...key],
    queryFn: ({ signal }) => inTurn(() => dataOfChart(project, chart.id, { dateRange, timezone }, signal)),
  });
  const before = useBefore(
    key,
    data,
    time.isCompared
      ? (now, signal) =>
          inTurn(() => dataOfChart(project, chart.id, { dateRange: rangeBefore(now), timezone }, signal))
      : undefined,
  );
  return (
    <section className="chart-card" aria-label={chart.name}>
      <h2 title={chart.name}>
        <Link
          {...{ to: '/p/$project/charts/$chart', params: { project, chart: chart.id } }}
          search={printChartTime(time)}
        >
          <bdi>{printName(chart.name)}</bdi>
        </Link>
      </h2>
      {chart.warnings?.map((warning) => (
        <p key={warning} className="field-error">
          {warning}
        </p>
      ))}
      {error !== null && (
        <Failure {...{ title: 'The chart could not be read', error }} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <p className="charts-note">Reading …</p>}
      {data !== undefined && (
        <ChartFigure {...{ data, before, height: HEIGHT }} definition={definitionOf(chart)} />
      )}
    </section>
  );
}
