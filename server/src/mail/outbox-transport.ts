/**
 * Without a mail server (D7): each mail becomes a file in DATA_DIR/outbox, and its link a line of the log, so that the
 * person who runs this can go on at once.
 */
import { access, constants, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Clock, Log } from '../ports.ts';
import type { MailTransport } from './mailer.ts';

export interface OutboxOptions {
  folder: string;
  from: string;
  clock: Pick<Clock, 'now'>;
  log: Log;
}

export function outboxTransport({ folder, from, clock, log }: OutboxOptions): MailTransport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  let written = 0;
  return {
    async send({ id, to, subject, text, html }) {
      const { message } = await composer.sendMail({ from, to, subject, text, html, date: new Date(clock.now()) });
      // Whoever may read these can take over accounts.
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // In the order of sending, also within one millisecond.
      written += 1;
      const order = String(written).padStart(6, '0');
      const name = `${new Date(clock.now()).toISOString().replaceAll(':', '-')}-${order}-${id}`;
      // Readers look for *.eml and must find whole files.
      const unfinished = join(folder, `${name}.part`);
      const file = join(folder, `${name}.eml`);
      await writeFile(unfinished, message as Buffer, { mode: 0o600 });
      await rename(unfinished, file);
      log.info({ to, subject, link: /https?:\/\/\S+/.exec(text)?.[0], file }, 'mail.written');
    },
    async canDeliver() {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await access(folder, constants.W_OK);
        return true;
      } catch {
        return false;
      }
    },
    close: () => undefined,
  };
}
