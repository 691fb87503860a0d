import { makeWarnOfUnauthorisedProjects } from './warn-of-unauthorised-projects.js';

describe('projects whose events the control plane does not take', () => {
  it('are named in the log once each', () => {
    const lines: unknown[] = [];
    const warn = makeWarnOfUnauthorisedProjects({
      warn: (_phrase, fields) => lines.push(fields?.projectIds),
    });
    for (const projectIds of [['a'], ['a', 'b'], ['b'], [], ['c', 'a']]) warn(projectIds);
    expect(lines).toEqual(['a', 'b', 'c']);
  });
});
