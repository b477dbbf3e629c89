/** A link that did what it was for. */
import { accountWords } from '../../copy/accounts.ts';
import { CheckIcon } from '../../ui/icons/icons.tsx';
import { ButtonLink } from '../../ui/keys/ButtonLink.tsx';
import styles from './AuthAction.module.css';

export function ActionDone({ title, lead }: { title: string; lead: string }) {
  return (
    <>
      <span className={styles.good}>
        <CheckIcon size={40} />
      </span>
      <h1>{title}</h1>
      <output className="lead">{lead}</output>
      <ButtonLink href="/login" variant="primary" block>
        {accountWords.goToLogin}
      </ButtonLink>
    </>
  );
}
