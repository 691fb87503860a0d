import { PERMISSIONS } from '@assay/domain';
import { ROUTES } from './route-catalogue.js';
import { requiredPermissions } from './route-permissions.js';

/** The permissions of all resources that are documents. */
const ofResources = (what: string) =>
  ['charts', 'configurations', 'datapoints', 'datasets', 'metrics', 'queues', 'runs'].map(
    (resource) => `${resource}:${what}`,
  );
const forKeys = ROUTES.filter(({ access }) => access !== 'admin' && access !== 'public');

describe('the permissions of routes', () => {
  test.each(forKeys.map((route) => ({ name: `${route.method} ${route.path}`, route })))(
    'are declared for $name',
    ({ route }) => {
      const required = requiredPermissions(route);
      expect(required?.length).toBeGreaterThan(0);
      for (const permission of required ?? []) expect(PERMISSIONS).toContain(permission);
    },
  );

  test('are for reading on GET and on searches, and for writing on every other route', () => {
    const reading = forKeys.filter((route) => requiredPermissions(route)?.[0]?.endsWith(':read'));
    const posted = reading.filter(({ method }) => method !== 'GET').map(({ operation }) => operation);
    expect(posted).toEqual([
      'previewDatapointBatch',
      'exportEvents',
      'pageEvents',
      'searchEvents',
      'listRunSummaries',
      'compareRunDatapoints',
      'gateRun',
      'exportEvaluations',
    ]);
    expect(forKeys.filter(({ method }) => method === 'GET').every((route) => reading.includes(route))).toBe(
      true,
    );
  });

  test('include those of events where values of events are read or written', () => {
    const more = forKeys.filter((route) => (requiredPermissions(route)?.length ?? 0) > 1);
    expect(Object.fromEntries(more.map((route) => [route.operation, requiredPermissions(route)]))).toEqual({
      createAlert: ['alerts:write', 'events:read'],
      updateAlert: ['alerts:write', 'events:read'],
      createDatapointBatch: ['datapoints:write', 'events:read'],
      evaluateStoredEvents: ['metrics:write', 'events:write'],
      getChartData: ['charts:read', 'events:read'],
      getProjectChartData: ['charts:read', 'events:read'],
      listQueueEvents: ['queues:read', 'events:read'],
      getMetricAgreement: ['metrics:read', 'events:read'],
      getQueueStatistics: ['queues:read', 'events:read'],
      nextQueueEvent: ['queues:write', 'events:read'],
      tryMetric: ['metrics:write', 'events:read'],
      updateQueueEvent: ['queues:write', 'events:write'],
      compareRunEvents: ['runs:read', 'events:read'],
      compareRunEventsByQuery: ['runs:read', 'events:read'],
      compareRunDatapoints: ['runs:read', 'events:read'],
      listDatasetDatapoints: ['datasets:read', 'datapoints:read'],
      listEventEvaluations: ['events:read', 'metrics:read'],
      listRunMetrics: ['runs:read', 'events:read'],
      listRunSummaries: ['runs:read', 'events:read'],
      previewDatapointBatch: ['datapoints:read', 'events:read'],
      exportDocuments: ['projects:read', ...ofResources('read')],
      importDocuments: ['projects:write', ...ofResources('write')],
      exportEvaluations: ['projects:read', 'events:read', 'metrics:read'],
      importEvents: ['projects:write', 'events:write', 'metrics:write'],
    });
  });

  test('are for deleting on deletes of events and sessions, one by one or by filters', () => {
    const deleting = forKeys.filter((route) => requiredPermissions(route)?.includes('events:delete'));
    expect(deleting.map(({ operation, access }) => [operation, access])).toEqual([
      ['createDeletion', 'project'],
      ['deleteEvent', 'project'],
      ['deleteSession', 'project'],
    ]);
  });

  test('are undefined for a tag without a resource', () => {
    for (const tag of ['Operation', 'constructor', ''])
      expect(requiredPermissions({ tag, method: 'GET' })).toBeUndefined();
  });
});
