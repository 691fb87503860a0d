import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { dataOfDraft } from '../../api/charts.js';
import { ApiError } from '../../api/call.js';
import { ChartFigure, useBefore } from '../../charts/chart-figure.js';
import { draftQuery, rangeBefore, type Definition } from '../../charts/definition.js';
import { useTimezone, type ChartTime } from '../../charts/use-chart-range.js';
import { useSettled } from '../../datasets/use-settled.js';
import { formatCount } from '../../format/number.js';
import { Button } from '../../ui/button.js';
import { Failure } from '../../ui/failure.js';
import { toDateRange } from '../../url/list-view.js';

interface Props {
  readonly project: string;
  readonly definition: Definition;
  readonly time: ChartTime;
  readonly onChange: (definition: Definition) => void;
}

const HEIGHT = 320;
/** The chart follows the definition when it has not been changed for this time. */
const SETTLED_MS = 300;

/** The chart of a definition that need not be saved. */
export function DraftFigure({ project, definition, time, onChange }: Props) {
  const timezone = useTimezone();
  const settled = useSettled(definition, SETTLED_MS);
  const query = draftQuery(settled, { dateRange: toDateRange(time.range), timezone });
  const { data, error, refetch } = useQuery({
    ...{ queryKey: ['chart draft', project, query], enabled: query.metric !== '', retry: false },
    queryFn: ({ signal }) => dataOfDraft(project, query, signal),
    placeholderData: keepPreviousData,
  });
  const before = useBefore(
    [project, query],
    data,
    time.isCompared
      ? (now, signal) =>
          dataOfDraft(project, { ...query, dateRange: rangeBefore(now), bucket: now.bucket }, signal)
      : undefined,
  );
  if (query.metric === '') return <p className="charts-note">Choose a value.</p>;
  if (error !== null)
    return (
      <>
        <Failure {...{ title: 'The chart could not be drawn', error }} onRetry={() => void refetch()} />
        <Advice {...{ error, definition, onChange }} />
      </>
    );
  if (data === undefined) return <p className="charts-note">Reading …</p>;
  return (
    <>
      <p className="charts-note" role="status">
        {formatCount(data.totalEvents)} {data.totalEvents === 1 ? 'event' : 'events'}
      </p>
      <ChartFigure {...{ definition: settled, data, before, height: HEIGHT }} />
    </>
  );
}

interface AdviceProps extends Pick<Props, 'definition' | 'onChange'> {
  readonly error: Error;
}

/** What the server advises when a chart would have too many points, as buttons. */
function Advice({ error, definition, onChange }: AdviceProps) {
  if (!(error instanceof ApiError) || error.status !== 400) return null;
  const isTooLarge = /buckets|points|rows/.test(error.message);
  if (!isTooLarge) return null;
  return (
    <p className="charts-note">
      {definition.bucket !== 'auto' && (
        <Button
          label="Use buckets that suit the range"
          onPress={() => onChange({ ...definition, bucket: 'auto' })}
        />
      )}
      {definition.group !== '' && (
        <Button label="Draw one line" onPress={() => onChange({ ...definition, group: '' })} />
      )}
    </p>
  );
}
