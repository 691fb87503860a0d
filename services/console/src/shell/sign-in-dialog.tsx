import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { acceptSignIn, onSignedOut, signedOutProject } from '../api/signed-out.js';
import type { ConsoleSession } from '../api/session.js';
import { onSignedInElsewhere } from '../api/signed-in-elsewhere.js';
import { Dialog } from '../ui/dialog.js';
import { sessionQuery, useConsoleSession } from '../api/use-session.js';
import { CompanyLink } from './company-link.js';
import { SignInForm } from './sign-in-form.js';

/** Asks for a key when the one in use was refused, or for the person again. The page below stays as it is, with everything that was typed there. */
export function SignInDialog() {
  const client = useQueryClient();
  const project = useSyncExternalStore(onSignedOut, signedOutProject);
  const hasPerson = (useConsoleSession()?.person ?? null) !== null;
  function onSignedIn(session: ConsoleSession): string | undefined {
    client.setQueryData(sessionQuery.queryKey, session);
    if (!session.projects.some(({ id }) => id === project))
      return 'This key belongs to another project. This page needs a key of its own project.';
    acceptSignIn();
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
    return undefined;
  }
  useEffect(() => {
    if (project === undefined) return undefined;
    return onSignedInElsewhere(() => {
      // A failure leaves the dialog open.
      void client.fetchQuery({ ...sessionQuery, staleTime: 0 }).then(onSignedIn, () => undefined);
    });
  });
  return (
    <Dialog title="Sign in again" isOpen={project !== undefined}>
      <div className="dialog-body">
        <p>
          {hasPerson ? 'Your session has ended.' : 'The key of this project was revoked or has expired.'}{' '}
          Nothing on this page is lost.
        </p>
        <CompanyLink next={location.pathname.slice('/console'.length) + location.search} inNewTab />
        <SignInForm key={project} onSignedIn={onSignedIn} />
      </div>
    </Dialog>
  );
}
