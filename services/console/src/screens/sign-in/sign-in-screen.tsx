import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { ConsoleSession } from '../../api/session.js';
import { sessionQuery } from '../../api/use-session.js';
import { CompanyLink } from '../../shell/company-link.js';
import { SignInForm } from '../../shell/sign-in-form.js';
import { safeNext } from '../../url/searches.js';
import './sign-in.css';

/** What the server says of a sign-in with the company's account that failed. */
const PROBLEMS: ReadonlyMap<string | undefined, string> = new Map([
  ['denied', 'The sign-in with your company’s account was cancelled.'],
  [
    'expired',
    'This sign-in is older than 10 minutes, was used before, or began in another browser or tab. Try again.',
  ],
  ['insecure', 'Signing in needs HTTPS at this address.'],
  ['no_access', 'Your account has no access to a project. The operator of Assay gives it to your groups.'],
  [
    'refused',
    'The sign-in with your company’s account was not accepted. Try again, or ask the operator of Assay.',
  ],
  ['too_many', 'Too many attempts from this address. Try again in a minute.'],
  ['too_many_groups', 'Your account has more groups than a session can hold. Ask the operator of Assay.'],
  ['unreachable', 'The sign-in of your company cannot be reached. Try again in a minute.'],
]);

export function SignInScreen() {
  const { next, project, link, problem } = useSearch({ from: '/sign-in' });
  const client = useQueryClient();
  const navigate = useNavigate();
  const router = useRouter();
  useEffect(() => {
    document.title = 'Sign in · Assay';
  }, []);
  function onSignedIn(session: ConsoleSession): string | undefined {
    client.setQueryData(sessionQuery.queryKey, session);
    if (project !== undefined && !session.projects.some(({ id }) => id === project))
      return 'This key belongs to another project than the link.';
    const target = safeNext(next);
    if (target !== undefined) router.history.push(`/console${target}`);
    else
      void navigate({
        to: '/p/$project/sessions',
        params: { project: session.project ?? session.projects[0]?.id ?? '' },
      });
    return undefined;
  }
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <p className="sign-in-brand">assay</p>
        <h1>Sign in</h1>
        {project !== undefined && <p className="sign-in-note">This link needs a key of its own project.</p>}
        {link === 'refused' && (
          <p className="sign-in-note" role="alert">
            This link was used before, or is older than 10 minutes. <code>npx assay login</code> makes another
            one.
          </p>
        )}
        {PROBLEMS.has(problem) && (
          <p className="sign-in-note" role="alert">
            {PROBLEMS.get(problem)}
          </p>
        )}
        <CompanyLink next={safeNext(next)} />
        <SignInForm onSignedIn={onSignedIn} />
      </div>
    </main>
  );
}
