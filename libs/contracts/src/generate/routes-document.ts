import type { Route } from '../route.js';
import { requiredPermissions } from '../route-permissions.js';
import { inDocumentOrder, ROUTES } from '../route-catalogue.js';

/** Returns the tables of the routes in Markdown, for `docs/routes.md`. */
export function routesDocument(declared: readonly Route[] = ROUTES): string {
  const routes = inDocumentOrder(declared);
  const tags = [...new Set(routes.map((route) => route.tag))];
  const sections = tags.map((tag) =>
    section(
      tag,
      routes.filter((route) => route.tag === tag),
    ),
  );
  return [
    `# Routes\n\nGenerated from the route catalogue. \`/openapi.json\` describes the bodies.\n`,
    ...sections,
  ].join('\n');
}

function section(tag: string, routes: readonly Route[]): string {
  const head = `## ${tag}\n\n| Route | Alias | Description | Key | Permissions | Served by | Successor |\n| --- | --- | --- | --- | --- | --- | --- |`;
  return `${head}\n${routes.map(row).join('\n')}\n`;
}

function row(route: Route): string {
  const also = (route.aliases ?? []).map((alias) => `\`${alias}\``).join(', ');
  const successor = route.successor === undefined ? '' : `deprecated: ${route.successor}`;
  return `| \`${route.method} ${route.path}\` | ${also} | ${route.summary} | ${route.access} | ${permissionsOf(route)} | ${route.owner} | ${successor} |`;
}

/** The permissions that a restricted key needs; no key of a project may call a route for administrators. */
function permissionsOf(route: Route): string {
  return route.access === 'admin' ? '' : (requiredPermissions(route) ?? []).join(', ');
}
