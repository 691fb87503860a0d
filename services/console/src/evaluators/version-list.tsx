import { useQuery } from '@tanstack/react-query';
import type { MetricVersion } from '../api/metrics.js';
import { diffs } from '../diff/diff-client.js';
import { TextSides } from '../diff/side-by-side.js';
import { formatTime, isoTime } from '../format/time.js';
import { formatCount } from '../format/number.js';
import { jsonText } from '../format/json-text.js';
import { printName } from '../format/name.js';
import { usePreferences } from '../theme/preferences.js';
import { Button } from '../ui/button.js';
import { Failure } from '../ui/failure.js';
import type { Definition } from './describe.js';

interface Props {
  /** Oldest first. */
  readonly versions: readonly MetricVersion[];
  readonly current: MetricVersion;
  readonly against: MetricVersion;
  readonly mayWrite: boolean;
  readonly onChoose: (choice: { readonly version?: string; readonly against?: string }) => void;
  readonly onDeploy: (version: MetricVersion) => void;
  readonly onEdit: (version: MetricVersion) => void;
}

/** The versions of a metric, newest first, and what differs between two of them. */
export function VersionList({ versions, current, against, mayWrite, ...props }: Props) {
  return (
    <section aria-label="Versions">
      <table className="evaluators-table">
        <thead>
          <tr>
            {['Version', 'Message', 'Created', 'State', 'Shown', 'Compared with'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {versions.toReversed().map((version) => (
            <Row key={version.name} {...{ version, current, against, mayWrite, ...props }} />
          ))}
        </tbody>
      </table>
      <Difference old={against} now={current} />
    </section>
  );
}

interface RowProps extends Omit<Props, 'versions'> {
  readonly version: MetricVersion;
}

function Row({ version, current, against, mayWrite, onChoose, onDeploy, onEdit }: RowProps) {
  const { zone } = usePreferences();
  const { name, message, date, deployed } = version;
  const at = Date.parse(date);
  const chooses = (label: string, isChosen: boolean, choose: () => void) => (
    <input type="radio" name={label} aria-label={`${label} ${name}`} checked={isChosen} onChange={choose} />
  );
  return (
    <tr>
      <th scope="row">{name}</th>
      <td title={message}>
        <bdi>{message === '' ? '—' : printName(message)}</bdi>
      </td>
      <td title={isoTime(at)}>{formatTime(at, zone, Date.now())}</td>
      <td>{deployed ? '✓ deployed' : ''}</td>
      <td>{chooses('Show', name === current.name, () => onChoose({ version: name }))}</td>
      <td>{chooses('Compare with', name === against.name, () => onChoose({ against: name }))}</td>
      <td>
        {mayWrite && !deployed && (
          <Button kind="quiet" label={`Deploy ${name}`} onPress={() => onDeploy(version)} />
        )}
        {mayWrite && <Button kind="quiet" label={`Edit ${name}`} onPress={() => onEdit(version)} />}
      </td>
    </tr>
  );
}

/** What two versions differ in: the criteria side by side, and every other field. */
function Difference({ old, now }: { readonly old: MetricVersion; readonly now: MetricVersion }) {
  const texts = { before: old.content.criteria, after: now.content.criteria };
  const { data, error, refetch } = useQuery({
    queryKey: ['text diff', texts],
    queryFn: () => diffs.call('texts', texts),
    ...{ staleTime: Infinity, retry: false, structuralSharing: false },
  });
  const fields = changedFields(old.content, now.content);
  return (
    <section aria-label="Differences">
      <h3 className="evaluator-title">
        {now.name} compared with {old.name}
      </h3>
      {error !== null && (
        <Failure title="The criteria were not compared" error={error} onRetry={() => void refetch()} />
      )}
      {data && <TextSides diff={data} what="text of the criteria" isCut={false} isMarked />}
      {fields.length > 0 && (
        <table className="evaluators-table">
          <caption className="visually-hidden">{formatCount(fields.length)} other fields differ</caption>
          <thead>
            <tr>
              {['Field', 'Old', 'New'].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {fields.map(({ field, before, after }) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td title={before}>
                  <del>{printName(before)}</del>
                </td>
                <td title={after}>
                  <ins>{printName(after)}</ins>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** The fields besides the criteria that differ, as JSON. */
function changedFields(old: Definition, now: Definition) {
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])] as (keyof Definition)[];
  const text = (value: unknown) => (value === undefined ? '—' : jsonText(value));
  return names
    .filter((field) => field !== 'criteria')
    .map((field) => ({ field, before: text(old[field]), after: text(now[field]) }))
    .filter(({ before, after }) => before !== after);
}
