import { useQuery } from '@tanstack/react-query';
import { companySignIn, signInOptions } from '../api/company-sign-in.js';

interface Props {
  /** Page to continue at, below `/console`. */
  readonly next: string | undefined;
  /** Keeps this page, with what was typed. */
  readonly inNewTab?: boolean;
}

/** Signs in with the identity provider of the company, where one is configured. */
export function CompanyLink({ next, inNewTab = false }: Props) {
  const { data } = useQuery({
    queryKey: ['sign-in options'],
    queryFn: ({ signal }) => signInOptions(signal),
    staleTime: Infinity,
  });
  if (data?.identity_provider !== true) return null;
  return (
    <a className="button button-normal" href={companySignIn(next)} target={inNewTab ? '_blank' : undefined}>
      Sign in with your company’s account{inNewTab && ', in a new tab'}
    </a>
  );
}
