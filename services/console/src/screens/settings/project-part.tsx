import { useQuery } from '@tanstack/react-query';
import { ownProject, type Project } from '../../api/projects.js';
import { getStatus } from '../../api/status.js';
import { useMay, useServes } from '../../api/use-session.js';
import { printName } from '../../format/name.js';
import { formatTime, isoTime } from '../../format/time.js';
import { usePreferences } from '../../theme/preferences.js';
import { InDataPlane } from '../../plane/in-data-plane.js';
import { Failure } from '../../ui/failure.js';
import { useProject } from '../../url/use-project.js';
import { IngestLimits } from '../health/ingest-limits.js';
import { Redaction } from '../health/redaction.js';
import '../health/health.css';

/** What holds for the project: how long its data is kept, how much it may send, and what leaves the data plane. */
export function ProjectPart() {
  const project = useProject();
  const mayRead = useMay('projects:read');
  const hasStatus = useServes('getStatus');
  const own = useQuery({
    ...{ queryKey: ['own project', project], enabled: mayRead },
    queryFn: ({ signal }) => ownProject(project, signal),
  });
  const status = useQuery({
    ...{ queryKey: ['status', project], enabled: hasStatus },
    queryFn: ({ signal }) => getStatus(project, signal),
  });
  return (
    <>
      <section aria-label="Project">
        {!mayRead && (
          <p className="settings-note">
            The key of this session may not read its project (<code>projects:read</code>).
          </p>
        )}
        {own.error !== null && (
          <Failure
            {...{ title: 'The project could not be read', error: own.error }}
            onRetry={() => void own.refetch()}
          />
        )}
        {own.data && <Facts project={own.data} />}
      </section>
      {!hasStatus && <InDataPlane what="The limits in force" />}
      {status.error !== null && (
        <Failure
          {...{ title: 'The limits could not be read', error: status.error }}
          onRetry={() => void status.refetch()}
        />
      )}
      {status.data && (
        <>
          <section aria-label="How much is taken">
            <h2>How much is taken</h2>
            <IngestLimits status={status.data} />
          </section>
          <section aria-label="What the control plane receives">
            <h2>What the control plane receives</h2>
            <Redaction redaction={status.data.redaction} />
          </section>
        </>
      )}
    </>
  );
}

function Facts({ project }: { readonly project: Project }) {
  const { zone } = usePreferences();
  const created = Date.parse(project.created_at);
  return (
    <dl className="settings-facts">
      <dt>Name</dt>
      <dd>
        <bdi>{printName(project.name)}</bdi>
      </dd>
      <dt>Id</dt>
      <dd>
        <code>{project.id}</code>
      </dd>
      {project.description !== '' && (
        <>
          <dt>Description</dt>
          <dd>{project.description}</dd>
        </>
      )}
      <dt>Created</dt>
      <dd title={isoTime(created)}>{formatTime(created, zone, Date.now())}</dd>
      <dt>Events are kept</dt>
      <dd>{retentionOf(project.retention)}</dd>
      <dt>Events that a run or a dataset names</dt>
      <dd>
        {project.keep_referenced === false ? 'are removed with the others' : 'are kept as long as it exists'}
      </dd>
    </dl>
  );
}

function retentionOf(retention: Project['retention']): string {
  const days = Object.entries<number | null>(retention ?? {});
  const texts = days.map(([type, count]) => {
    const time = count === null ? 'for ever' : `${count} days`;
    return type === 'default' ? time : `${type}: ${time}`;
  });
  const hasDefault = days.some(([type]) => type === 'default');
  return [...(hasDefault ? [] : ['as the installation says']), ...texts].join(' · ');
}
