/** The message that an e-mail was sent to an address, and the ways to go on. */
import type { ReactNode } from 'react';
import { useApp } from '../app-context.ts';
import { useReadable } from '../store/use-readable.ts';
import { MailIcon } from '../ui/icons/icons.tsx';
import { outboxHint } from './account-words.ts';

interface MailSentProps {
  title: string;
  /** The parts of a sentence before and after the address. */
  lead: readonly [string, string];
  email: string;
  children: ReactNode;
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
        {lead[0]}
        <strong>{email}</strong>
        {lead[1]}
      </p>
      {outboxPath !== null && <p className="meta">{outboxHint(outboxPath)}</p>}
      {children}
    </>
  );
}
