import { Administration } from '../../administration/administration.js';
import { useServes } from '../../api/use-session.js';
import { AuditTrail } from './audit-trail.js';
import { DataPlanes } from './data-planes.js';
import { Projects } from './projects.js';

/** What the administrator of the installation manages: projects, data planes, and who has changed what. */
export function AdministrationPart() {
  const serves = {
    projects: useServes('listProjects'),
    dataPlanes: useServes('listDataPlanes'),
    audit: useServes('listAuditEntries'),
  };
  return (
    <Administration what="Projects, data planes and the audit trail">
      {serves.projects && (
        <section aria-label="Projects">
          <h2>Projects</h2>
          <Projects />
        </section>
      )}
      {serves.dataPlanes && (
        <section aria-label="Data planes">
          <h2>Data planes</h2>
          <DataPlanes />
        </section>
      )}
      {serves.audit && (
        <section aria-label="Audit trail">
          <h2>Audit trail</h2>
          <AuditTrail />
        </section>
      )}
    </Administration>
  );
}
