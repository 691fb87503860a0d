import { Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { Failure } from '../ui/failure.js';
import { Notice } from '../ui/notice.js';

export function NotFound() {
  return (
    <main className="page-problem">
      <Notice
        title="This address is not one of the console"
        actions={<Link to="/">Go to the sessions</Link>}
      />
    </main>
  );
}

export function LoadFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <main className="page-problem">
      <Failure
        title="The page could not be loaded"
        error={error instanceof Error ? error : new Error('unknown failure')}
        onRetry={retry}
      />
    </main>
  );
}
