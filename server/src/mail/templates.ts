/**
 * The text of our mails, as plain text and as simple HTML. They hold no words that a person chose: anybody can sign up, or
 * ask for a new password, with the address of somebody else.
 */
import type { Mail } from './mail-queue.ts';

type Letter = Omit<Mail, 'to'>;

const escape = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

interface Words {
  subject: string;
  paragraphs: readonly string[];
  button: { label: string; link: string };
  /** The last paragraph, in small print. */
  footnote: string;
}

const greeting = 'Hello,';

/** In the text the link has a line of its own. */
export const linkOf = (text: string): string | undefined => /^https?:\/\/\S+$/m.exec(text)?.[0];

function letter({ subject, paragraphs, button, footnote }: Words): Letter {
  const text = [greeting, ...paragraphs, button.link, footnote].join('\n\n');
  const html = [
    `<p>${escape(greeting)}</p>`,
    ...paragraphs.map((paragraph) => `<p>${escape(paragraph)}</p>`),
    `<p><a href="${escape(button.link)}">${escape(button.label)}</a></p>`,
    `<p>Or open this address: ${escape(button.link)}</p>`,
    `<p><small>${escape(footnote)}</small></p>`,
  ].join('\n');
  return {
    subject,
    text: `${text}\n`,
    html: `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${escape(subject)}</title></head><body>\n${html}\n</body></html>\n`,
  };
}

export function verificationMail(link: string): Letter {
  return letter({
    subject: 'Verify your email for Tunemate',
    paragraphs: ['Welcome to Tunemate. Open this link to verify your email address:'],
    button: { label: 'Verify email', link },
    footnote: 'The link works once and for 24 hours. If you did not sign up, you can ignore this mail.',
  });
}

export function passwordResetMail(link: string): Letter {
  return letter({
    subject: 'Reset your Tunemate password',
    paragraphs: ['Open this link to choose a new password:'],
    button: { label: 'Choose a new password', link },
    footnote: 'The link works once and for 24 hours. If you did not ask for it, your password stays as it is.',
  });
}

/** Sent instead of a verification when the address already has an account. */
export function alreadyRegisteredMail(link: string): Letter {
  return letter({
    subject: 'You already have a Tunemate account',
    paragraphs: [
      'Somebody, probably you, tried to sign up for Tunemate with this address. It already has an account, and nothing was changed.',
      'If you forgot your password, choose "Forgot password?" on this page:',
    ],
    button: { label: 'Log in to Tunemate', link },
    footnote: 'If it was not you, you can ignore this mail.',
  });
}
