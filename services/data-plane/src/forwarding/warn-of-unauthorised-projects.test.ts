import { makeWarnOfUnauthorisedProjects } from './warn-of-unauthorised-projects.js';

describe('makeWarnOfUnauthorisedProjects', () => {
  it('logs each project once', () => {
    const lines: unknown[] = [];
    const warn = makeWarnOfUnauthorisedProjects({
      warn: (_phrase, fields) => lines.push(fields?.projectIds),
    });
    for (const projectIds of [['a'], ['a', 'b'], ['b'], [], ['c', 'a']]) warn(projectIds);
    expect(lines).toEqual(['a', 'b', 'c']);
  });
});
