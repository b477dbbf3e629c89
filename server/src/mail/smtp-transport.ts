/**
 * The transport through the server of SMTP_URL. Its timeouts are short, because the queue retries.
 */
import { createTransport } from 'nodemailer';
import type { MailTransport } from './mail-queue.ts';

const connectWithinMs = 5000;
const answerWithinMs = 10_000;

export function smtpTransport(url: string, from: string): MailTransport {
  const timeouts = {
    connectionTimeout: connectWithinMs,
    greetingTimeout: connectWithinMs,
    socketTimeout: answerWithinMs,
  };
  const smtp = createTransport({ url, pool: true, maxConnections: 2, ...timeouts });
  // The failure of a mail rejects its promise; the error of an idle connection needs no handling.
  smtp.on('error', () => undefined);
  return {
    async send({ id, to, subject, text, html }) {
      // The same id on every attempt, so that a server that accepted the mail already can recognise the repetition.
      await smtp.sendMail({ from, to, subject, text, html, messageId: `<${id}@tunemate>` });
    },
    async canDeliver() {
      try {
        return await smtp.verify();
      } catch {
        return false;
      }
    },
    close: () => smtp.close(),
  };
}
