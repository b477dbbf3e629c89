/**
 * The transport through the server of SMTP_URL. Its timeouts are short, because the queue retries.
 */
import { createTransport } from 'nodemailer';
import { headersOf, senderOf } from './sender.ts';
import { MailRefused, mailsAtOnce, type MailTransport } from './mail-queue.ts';

const connectWithinMs = 5000;
const answerWithinMs = 10_000;

export function smtpTransport(url: string, from: string): MailTransport {
  const timeouts = {
    connectionTimeout: connectWithinMs,
    greetingTimeout: connectWithinMs,
    socketTimeout: answerWithinMs,
  };
  const smtp = createTransport({ url, pool: true, maxConnections: mailsAtOnce, ...timeouts });
  // The failure of a mail rejects its promise; the error of an idle connection needs no handling.
  smtp.on('error', () => undefined);
  /** Whether the last mail was refused for good because of us: the server answers, and no mail gets through. */
  let areWeRefused = false;
  return {
    async send({ id, to, subject, text, html }) {
      // As parts: in a text a comma would begin another address.
      const people = { from: senderOf(from), to: { name: '', address: to } };
      try {
        await smtp.sendMail({ ...people, subject, text, html, headers: headersOf(id, from) });
        areWeRefused = false;
      } catch (error) {
        const reply = refusalForGood(error);
        areWeRefused = reply === null && codeOf(error) >= 500;
        throw reply === null ? error : new MailRefused(reply, { cause: error });
      }
    },
    async canDeliver() {
      try {
        return (await smtp.verify()) && !areWeRefused;
      } catch {
        return false;
      }
    },
    close: () => smtp.close(),
  };
}

/** Commands about the mail itself. A refusal of another, such as of the password, is the operator's to mend. */
const aboutMail = new Set<unknown>(['RCPT TO', 'DATA']);

/**
 * A recipient that is refused because of who sends: the mail server wants a password, does not relay, or is blocked
 * itself. Every address would be refused so, and the operator can mend it.
 */
const isAboutUs =
  /^(?:530|535|538)|^\d{3}[ -]5\.[457]\.|relay|authenticat|log ?in|block(?:ed|list)|black ?list|reputation|spamhaus/i;

/**
 * The same of a whole mail, whose text may be refused for itself too: what the domain of MAIL_FROM does not vouch for.
 */
const isAboutOurDomain = /^\d{3}[ -]5\.7\.2\d\b|unauthenticat|\b(?:spf|dkim|dmarc)\b/i;

const codeOf = (error: unknown): number => Number((error as { responseCode?: unknown }).responseCode ?? 0);

/** The code of a reply that no later attempt would change, such as `550 5.1.1`; null for anything else. */
function refusalForGood(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { responseCode, command, response } = error as Error & Record<'responseCode' | 'command' | 'response', unknown>;
  if (typeof responseCode !== 'number' || responseCode < 500 || responseCode === 503 || !aboutMail.has(command))
    return null;
  if ((command === 'RCPT TO' ? isAboutUs : isAboutOurDomain).test(String(response))) return null;
  const [, enhanced = ''] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(String(response)) ?? [];
  return `${String(responseCode)} ${enhanced}`.trim();
}
