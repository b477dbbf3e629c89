/**
 * Real mail, through the server of SMTP_URL. Nothing here waits long: the queue asks again.
 */
import { createTransport } from 'nodemailer';
import type { MailTransport } from './mailer.ts';

const connectWithinMs = 5000;
const answerWithinMs = 10_000;

export function smtpTransport(url: string, from: string): MailTransport {
  const timeouts = {
    connectionTimeout: connectWithinMs,
    greetingTimeout: connectWithinMs,
    socketTimeout: answerWithinMs,
  };
  const smtp = createTransport({ url, pool: true, maxConnections: 2, ...timeouts });
  // Whoever waits for a mail is told of its failure; an idle connection that breaks concerns nobody.
  smtp.on('error', () => undefined);
  return {
    async send({ id, to, subject, text, html }) {
      // The same id on every attempt: a server that took it but answered too late can recognise the repetition.
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
