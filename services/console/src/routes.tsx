import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { ApiError } from './api/call.js';
import type { ListKind } from './list/columns.js';
import { rowsQuery } from './list/rows.js';
import { EventsScreen } from './screens/events/events-screen.js';
import { SessionsScreen } from './screens/sessions/sessions-screen.js';
import { queries } from './shell/queries.js';
import { LoadFailure, NotFound } from './shell/page-problems.js';
import { sessionQuery } from './api/use-session.js';
import { Shell } from './shell/shell.js';
import { signInWithLink } from './shell/sign-in-link.js';
import { readListView } from './url/list-view.js';
import {
  readApiSearch,
  readDiffSearch,
  readEvaluatorSearch,
  readListSearch,
  readQueueSearch,
  readSignInSearch,
} from './url/searches.js';
import { parseSearch, printSearch, type Search } from './url/search.js';

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** Name of the screen in the bar. */
    title?: string;
    /** Operation of the API without which the screen has nothing to show. */
    needs?: string;
  }
}

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

/** The first address of a link: signs in with its code, and continues with the project. */
const index = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async () => {
    const linked = await signInWithLink();
    if (linked === 'refused') throw redirect({ to: '/sign-in', search: { link: 'refused' } });
    const session = linked ?? (await signedIn('/'));
    const project = session.project ?? session.projects[0]?.id;
    if (project === undefined) throw redirect({ to: '/sign-in', search: {} });
    const hasStart = linked?.capabilities.includes('getStatus') === true;
    const to = hasStart ? '/p/$project/start' : '/p/$project/sessions';
    throw redirect({ to, params: { project }, replace: true });
  },
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readSignInSearch,
  component: lazyRouteComponent(() => import('./screens/sign-in/sign-in-screen.js'), 'SignInScreen'),
});

const project = createRoute({
  getParentRoute: () => root,
  path: '/p/$project',
  beforeLoad: async ({ params, location }) => {
    const { projects } = await signedIn(location.href);
    if (!projects.some(({ id }) => id === params.project))
      throw redirect({ to: '/sign-in', search: { next: location.href, project: params.project } });
  },
  component: Shell,
  errorComponent: LoadFailure,
});

const projectIndex = createRoute({
  getParentRoute: () => project,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/p/$project/sessions', params, replace: true });
  },
});

const start = createRoute({
  getParentRoute: () => project,
  path: '/start',
  staticData: { title: 'Start', needs: 'getStatus' },
  component: lazyRouteComponent(() => import('./screens/start/start-screen.js'), 'StartScreen'),
});

const sessions = createRoute({
  getParentRoute: () => project,
  path: '/sessions',
  loader: ({ params, location, cause }) =>
    cause === 'enter' && readRows('sessions', params.project, location),
  staticData: { title: 'Sessions' },
  validateSearch: readListSearch,
  component: SessionsScreen,
});

const events = createRoute({
  getParentRoute: () => project,
  path: '/events',
  loader: ({ params, location, cause }) => cause === 'enter' && readRows('events', params.project, location),
  staticData: { title: 'Events', needs: 'pageEvents' },
  validateSearch: readListSearch,
  component: EventsScreen,
});

const session = createRoute({
  getParentRoute: () => project,
  path: '/sessions/$session',
  staticData: { title: 'Session', needs: 'getSessionTree' },
  validateSearch: (search: Record<string, unknown>): Search => search as Search,
  component: lazyRouteComponent(() => import('./screens/session/session-screen.js'), 'SessionScreen'),
});

const usage = createRoute({
  getParentRoute: () => project,
  path: '/usage',
  staticData: { title: 'Usage' },
  validateSearch: (search: Record<string, unknown>): Search => search as Search,
  component: lazyRouteComponent(() => import('./screens/usage/usage-screen.js'), 'UsageScreen'),
});

const runs = createRoute({
  getParentRoute: () => project,
  path: '/runs',
  staticData: { title: 'Runs' },
  component: lazyRouteComponent(() => import('./screens/runs/runs-screen.js'), 'RunsScreen'),
});

const run = createRoute({
  getParentRoute: () => project,
  path: '/runs/$run',
  staticData: { title: 'Run' },
  validateSearch: (search: Record<string, unknown>): Search => search as Search,
  component: lazyRouteComponent(() => import('./screens/run/run-screen.js'), 'RunScreen'),
});

const compare = createRoute({
  getParentRoute: () => project,
  path: '/compare/$new/$old',
  staticData: { title: 'Comparison', needs: 'compareRunResults' },
  validateSearch: (search: Record<string, unknown>): Search => search as Search,
  component: lazyRouteComponent(() => import('./screens/compare/compare-screen.js'), 'CompareScreen'),
});

const diff = createRoute({
  getParentRoute: () => project,
  path: '/diff/$a/$b',
  staticData: { title: 'Side by side', needs: 'getEventPayload' },
  validateSearch: readDiffSearch,
  component: lazyRouteComponent(() => import('./screens/diff/diff-screen.js'), 'DiffScreen'),
});

const queues = createRoute({
  getParentRoute: () => project,
  path: '/queues',
  staticData: { title: 'Queues' },
  component: lazyRouteComponent(() => import('./screens/queues/queues-screen.js'), 'QueuesScreen'),
});

const queue = createRoute({
  getParentRoute: () => project,
  path: '/queues/$queue',
  staticData: { title: 'Queue' },
  validateSearch: readQueueSearch,
  component: lazyRouteComponent(() => import('./screens/queue/queue-screen.js'), 'QueueScreen'),
});

const work = createRoute({
  getParentRoute: () => project,
  path: '/queues/$queue/work',
  staticData: { title: 'Annotation', needs: 'nextQueueEvent' },
  component: lazyRouteComponent(() => import('./screens/work/work-screen.js'), 'WorkScreen'),
});

const evaluators = createRoute({
  getParentRoute: () => project,
  path: '/evaluators',
  staticData: { title: 'Evaluators' },
  component: lazyRouteComponent(
    () => import('./screens/evaluators/evaluators-screen.js'),
    'EvaluatorsScreen',
  ),
});

const evaluator = createRoute({
  getParentRoute: () => project,
  path: '/evaluators/$metric',
  staticData: { title: 'Evaluator' },
  validateSearch: readEvaluatorSearch,
  component: lazyRouteComponent(() => import('./screens/evaluator/evaluator-screen.js'), 'EvaluatorScreen'),
});

const datasets = createRoute({
  getParentRoute: () => project,
  path: '/datasets',
  staticData: { title: 'Datasets' },
  component: lazyRouteComponent(() => import('./screens/datasets/datasets-screen.js'), 'DatasetsScreen'),
});

const dataset = createRoute({
  getParentRoute: () => project,
  path: '/datasets/$dataset',
  staticData: { title: 'Dataset' },
  component: lazyRouteComponent(() => import('./screens/dataset/dataset-screen.js'), 'DatasetScreen'),
});

const charts = createRoute({
  getParentRoute: () => project,
  path: '/charts',
  staticData: { title: 'Charts' },
  validateSearch: (search: Record<string, unknown>): Search => search as Search,
  component: lazyRouteComponent(() => import('./screens/charts/charts-screen.js'), 'ChartsScreen'),
});

const chart = createRoute({
  getParentRoute: () => project,
  path: '/charts/$chart',
  staticData: { title: 'Chart', needs: 'chartEvents' },
  validateSearch: (search: Record<string, unknown>): Search => search as Search,
  component: lazyRouteComponent(() => import('./screens/chart/chart-screen.js'), 'ChartScreen'),
});

const health = createRoute({
  getParentRoute: () => project,
  path: '/health',
  staticData: { title: 'Health', needs: 'getStatus' },
  component: lazyRouteComponent(() => import('./screens/health/health-screen.js'), 'HealthScreen'),
});

const settingsIndex = createRoute({
  getParentRoute: () => project,
  path: '/settings',
  beforeLoad: ({ params }) => {
    throw redirect({
      ...{ to: '/p/$project/settings/$part', params: { ...params, part: 'keys' }, replace: true },
    });
  },
});

const settings = createRoute({
  getParentRoute: () => project,
  path: '/settings/$part',
  staticData: { title: 'Settings' },
  component: lazyRouteComponent(() => import('./screens/settings/settings-screen.js'), 'SettingsScreen'),
});

const api = createRoute({
  getParentRoute: () => project,
  path: '/api',
  staticData: { title: 'API' },
  validateSearch: readApiSearch,
  component: lazyRouteComponent(() => import('./screens/api/api-screen.js'), 'ApiScreen'),
});

/** The address of the routes that other documents name: it knows no project. */
const apiOfAny = createRoute({
  getParentRoute: () => root,
  path: '/api',
  validateSearch: readApiSearch,
  beforeLoad: async ({ search, location }) => {
    const { project: last, projects } = await signedIn(location.href);
    const params = { project: last ?? projects[0]?.id ?? '' };
    throw redirect({ to: '/p/$project/api', params, search, replace: true });
  },
});

const inProject = project.addChildren([
  ...[
    projectIndex,
    start,
    sessions,
    events,
    session,
    runs,
    run,
    compare,
    queues,
    queue,
    work,
    datasets,
    dataset,
    health,
    settingsIndex,
    settings,
    api,
  ],
  ...[evaluators, evaluator, charts, chart, usage, diff],
]);

/** Every address of the console, once, with what its query may have. */
export const router = createRouter({
  routeTree: root.addChildren([index, signIn, apiOfAny, inProject]),
  basepath: '/console',
  parseSearch,
  stringifySearch: (search) => printSearch(search as Search),
  defaultPreload: 'intent',
  defaultErrorComponent: LoadFailure,
});

/** Returns the person's session; without one, the page asks for a key and returns here. */
async function signedIn(next: string) {
  try {
    return await queries.ensureQueryData(sessionQuery);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401)
      throw redirect({ to: '/sign-in', search: { next } });
    throw error;
  }
}

/** Asks for the rows of a list before it is drawn for the first time. */
function readRows(kind: ListKind, project: string, { search }: { readonly search: object }): void {
  const session = queries.getQueryData(sessionQuery.queryKey);
  if (session?.capabilities.includes('pageEvents') !== true) return;
  const view = readListView(readListSearch({ ...search }) as Search);
  void queries.prefetchInfiniteQuery(rowsQuery(project, kind, view));
}
