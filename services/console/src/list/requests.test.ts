import { execFileSync } from 'node:child_process';
import { requestAs } from './requests.js';

const request = {
  filters: [{ field: 'event_name', operator: 'is', type: 'string', value: `it's "$HOME" \\ \`x\` '''` }],
  ...{ dateRange: '7d', sort: { field: 'start_time', order: 'desc' as const }, limit: 100 },
};

describe('the request of a list for a program', () => {
  it('is one word of a shell, whatever its values contain', () => {
    const text = requestAs('curl', 'http://127.0.0.1:1', request);
    const body = execFileSync('sh', [
      '-c',
      `curl() { for one in "$@"; do last=$one; done; printf %s "$last"; }\n${text}`,
    ]);
    expect(JSON.parse(body.toString())).toEqual(request);
  });

  it('is a text of Python, whatever its values contain', () => {
    const line = requestAs('python', 'http://127.0.0.1:1', request)
      .split('\n')
      .find((one) => one.startsWith('body'));
    const program = `import json\n${line}\nprint(json.dumps(body))`;
    expect(JSON.parse(execFileSync('python3', ['-c', program]).toString())).toEqual(request);
  });

  it('names no key', () => {
    for (const language of ['curl', 'python'] as const)
      expect(requestAs(language, 'http://127.0.0.1:1', request)).toContain('ASSAY_API_KEY');
    expect(JSON.parse(requestAs('json', '', request))).toEqual(request);
  });
});
