import type { PageRequest } from '../api/events.js';

export type Language = 'curl' | 'python' | 'json';

/** Returns the request of a list as a person can run it. The key is read from the environment, never printed. */
export function requestAs(language: Language, origin: string, request: PageRequest): string {
  const { filters, dateRange, sort, limit } = request;
  const body = { filters, dateRange, sort, limit };
  if (language === 'json') return JSON.stringify(body, null, 2);
  if (language === 'python')
    return [
      'import json, os, urllib.request',
      '',
      // A text of JSON is one of Python too.
      `body = json.loads(${JSON.stringify(JSON.stringify(body))})`,
      'request = urllib.request.Request(',
      `    "${origin}/v1/events/page",`,
      '    data=json.dumps(body).encode(),',
      '    headers={"Authorization": "Bearer " + os.environ["ASSAY_API_KEY"], "Content-Type": "application/json"},',
      ')',
      'print(urllib.request.urlopen(request).read().decode())',
    ].join('\n');
  return [
    `curl -s '${origin}/v1/events/page' \\`,
    `  -H "Authorization: Bearer $ASSAY_API_KEY" -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(body).replaceAll("'", `'\\''`)}'`,
  ].join('\n');
}
