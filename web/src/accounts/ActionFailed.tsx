/** Failure of a link in an e-mail, with the links to go on. */
import type { ReactNode } from 'react';
import { accountCopy } from './account-words.ts';
import { AlertIcon } from '../ui/icons/icons.tsx';
import { ButtonGroup } from '../ui/buttons/ButtonGroup.tsx';
import { ButtonLink } from '../ui/buttons/ButtonLink.tsx';
import styles from './AuthAction.module.css';

/** `children` are buttons before 'Back to Login', which then becomes a secondary button. */
export function ActionFailed({ title, lead, children }: { title: string; lead: string; children?: ReactNode }) {
  return (
    <>
      <span className={styles.bad}>
        <AlertIcon size={40} />
      </span>
      <h1>{title}</h1>
      <p className="lead" role="alert">
        {lead}
      </p>
      <ButtonGroup>
        {children}
        <ButtonLink href="/login" variant={children ? 'quiet' : 'primary'} block>
          {accountCopy.backToLogin}
        </ButtonLink>
      </ButtonGroup>
    </>
  );
}
