/** The message that an e-mail was sent to an address, the ways to go on, and the number of a sign-up. */
import { MailIcon } from '../ui/icons/icons.tsx';
import type { Elements } from '../ui/OwnText.tsx';
import styles from './NumberLine.module.css';

interface MailSentProps {
  title: string;
  /** The parts of a sentence before and after the address. */
  lead: readonly [string, string];
  email: string;
  children: Elements;
}

export function MailSent({ title, lead, email, children }: MailSentProps) {
  return (
    <>
      <MailIcon size={40} />
      <h1>{title}</h1>
      <p className="lead">
        <span>{lead[0]}</span>
        <strong>{email}</strong>
        <span>{lead[1]}</span>
      </p>
      {children}
    </>
  );
}

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
