import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import { apiDocument, type ApiDocument } from '../../api/openapi.js';
import { formatCount } from '../../format/number.js';
import { useCommands } from '../../keyboard/dispatch.js';
import { Failure } from '../../ui/failure.js';
import { useProject } from '../../url/use-project.js';
import { routesOf, searchRoutes, type ApiRoute } from './api-routes.js';
import { RouteDetail } from './route-detail.js';
import './api.css';

/** Every route of this server, searchable, with a request that can be copied. */
export function ApiScreen() {
  const { data, error, refetch } = useQuery({
    queryKey: ['openapi'],
    queryFn: ({ signal }) => apiDocument(signal),
    staleTime: Infinity,
    structuralSharing: false,
  });
  if (error !== null)
    return <Failure title="The routes could not be read" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="api-note">Reading routes …</p>;
  return <Reference document={data} />;
}

function Reference({ document }: { readonly document: ApiDocument }) {
  const { q = '', route: chosen } = useSearch({ from: '/p/$project/api' });
  const project = useProject();
  const navigate = useNavigate();
  const box = useRef<HTMLInputElement>(null);
  const routes = useMemo(() => routesOf(document), [document]);
  const found = useMemo(() => searchRoutes(routes, q), [routes, q]);
  const at = found.findIndex(({ id }) => id === chosen);
  const current = routes.find(({ id }) => id === chosen) ?? found[0];
  const choose = (route: ApiRoute | undefined) =>
    route && void navigate({ to: '/p/$project/api', params: { project }, search: { q, route: route.id } });
  useCommands({
    find: () => box.current?.focus(),
    routeNext: () => choose(found[at + 1]),
    routePrevious: () => choose(found[Math.max(0, at - 1)]),
  });
  return (
    <div className="api">
      <section className="api-list" aria-label="Routes">
        <div className="api-find" role="search">
          <input
            {...{ ref: box, className: 'input', type: 'search', value: q, autoComplete: 'off' }}
            aria-label="Find a route"
            placeholder="Find a route  /"
            onChange={({ target }) =>
              void navigate({
                ...{ to: '/p/$project/api', params: { project }, replace: true },
                search: { q: target.value === '' ? undefined : target.value },
              })
            }
            onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
          />
          <span className="api-count" role="status">
            {formatCount(found.length)} / {formatCount(routes.length)} routes
          </span>
        </div>
        <RouteList routes={found} current={current} query={q} />
      </section>
      {current !== undefined && <RouteDetail key={current.id} document={document} route={current} />}
    </div>
  );
}

interface ListProps {
  readonly routes: readonly ApiRoute[];
  readonly current: ApiRoute | undefined;
  readonly query: string;
}

function RouteList({ routes, current, query }: ListProps) {
  const project = useProject();
  const tags = [...new Set(routes.map(({ tag }) => tag))];
  if (routes.length === 0) return <p className="api-note">No route has these words.</p>;
  return (
    <div className="api-tags">
      {tags.map((tag) => (
        <section key={tag} aria-label={tag}>
          <h2 className="api-tag">{tag}</h2>
          <ul>
            {routes
              .filter((route) => route.tag === tag)
              .map((route) => (
                <li key={route.id}>
                  <Link
                    {...{ to: '/p/$project/api', params: { project }, className: 'api-route' }}
                    search={{ ...(query !== '' && { q: query }), route: route.id }}
                    activeProps={{}}
                    aria-current={route === current ? 'true' : undefined}
                    title={route.summary}
                  >
                    <span className="api-method" data-method={route.method}>
                      {route.method}
                    </span>
                    <span className="api-path">{route.path}</span>
                  </Link>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
