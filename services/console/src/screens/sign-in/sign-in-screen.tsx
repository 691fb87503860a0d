import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { ConsoleSession } from '../../api/session.js';
import { sessionQuery } from '../../api/use-session.js';
import { SignInForm } from '../../shell/sign-in-form.js';
import { safeNext } from '../../url/searches.js';
import './sign-in.css';

export function SignInScreen() {
  const { next, project, link } = useSearch({ from: '/sign-in' });
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
        <SignInForm onSignedIn={onSignedIn} />
      </div>
    </main>
  );
}
