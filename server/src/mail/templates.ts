/**
 * The text of our mails, as plain text and as simple HTML. They hold no words that a person chose: anybody can sign up, or
 * ask for a new password, with the address of somebody else.
 */
import type { Language } from '@tunemate/protocol';
import type { Mail } from './mail-queue.ts';
import { mailWords, type MailKind } from './mail-words.ts';

type Letter = Omit<Mail, 'to'>;

const escape = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** In the text the link has a line of its own. */
export const linkOf = (text: string): string | undefined => /^https?:\/\/\S+$/m.exec(text)?.[0];

function letter(kind: MailKind, link: string, language: Language): Letter {
  const { greeting, orOpen, [kind]: words } = mailWords[language];
  const { subject, paragraphs, button, footnote } = words;
  const text = [greeting, ...paragraphs, link, footnote].join('\n\n');
  const html = [
    `<p>${escape(greeting)}</p>`,
    ...paragraphs.map((paragraph) => `<p>${escape(paragraph)}</p>`),
    `<p><a href="${escape(link)}">${escape(button)}</a></p>`,
    `<p>${escape(orOpen)} <span dir="ltr">${escape(link)}</span></p>`,
    `<p><small>${escape(footnote)}</small></p>`,
  ].join('\n');
  const direction = language === 'ar' ? ' dir="rtl"' : '';
  return {
    subject,
    text: `${text}\n`,
    html: `<!doctype html>\n<html lang="${language}"${direction}><head><meta charset="utf-8"><title>${escape(subject)}</title></head><body>\n${html}\n</body></html>\n`,
  };
}

export const verificationMail = (link: string, language: Language): Letter => letter('verification', link, language);

export const passwordResetMail = (link: string, language: Language): Letter => letter('passwordReset', link, language);

/** Sent instead of a verification when the address already has an account. */
export const alreadyRegisteredMail = (link: string, language: Language): Letter =>
  letter('alreadyRegistered', link, language);
