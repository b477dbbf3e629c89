/** The message that an e-mail was sent to an address, the ways to go on, and the number of a sign-up. */
import { useApp } from '../app-context.ts';
import { useReadable } from '../store/use-readable.ts';
import { MailIcon } from '../ui/icons/icons.tsx';
import type { Elements } from '../ui/OwnText.tsx';
import { t } from '../language/t.ts';
import styles from './NumberLine.module.css';

interface MailSentProps {
  title: string;
  /** The parts of a sentence before and after the address. */
  lead: readonly [string, string];
  email: string;
  children: Elements;
}

/** Without a mail server, users on the server's own machine see in which folder the e-mail is. */
export function MailSent({ title, lead, email, children }: MailSentProps) {
  const config = useReadable(useApp().session.config);
  const outboxPath = config?.outboxPath ?? null;
  return (
    <>
      <MailIcon size={40} />
      <h1>{title}</h1>
      <p className="lead">
        <span>{lead[0]}</span>
        <strong>{email}</strong>
        <span>{lead[1]}</span>
      </p>
      {outboxPath !== null && <p className="meta">{outboxHint(outboxPath)}</p>}
      {children}
    </>
  );
}

/** Where the e-mails are when no mail server is configured. */
const outboxHint = (path: string): string => t`No mail server is set up here. The email was saved in ${path}`;

/**
 * The number that tells sign-ups with one address apart: on the page that waits and on the page of its mail. `words` say
 * the number too, for screen readers.
 */
export function NumberLine({ number, words }: { number: number; words: string }) {
  return (
    <p className={styles.line}>
      <b aria-hidden="true">{number}</b>
      <span>{words}</span>
    </p>
  );
}
