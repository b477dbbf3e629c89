/**
 * The transport without a mail server: writes each mail to a file in DATA_DIR/outbox and its link to the log,
 * so that the operator can continue at once.
 */
import { access, constants, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Log } from '../system/ports.ts';
import { makeFolder, writeWhole } from '../system/whole-files.ts';
import type { Mail, MailTransport } from './mail-queue.ts';
import { headersOf } from './sender.ts';
import { linkOf } from './templates.ts';

export interface OutboxOptions {
  folder: string;
  from: string;
  clock: Pick<Clock, 'now'>;
  log: Log;
}

/** The mail in its transport form, but unencoded, so that the link can be copied from an editor. */
function asFile({ to, subject, text, html }: Mail, id: string, from: string, nowMs: number): string {
  const part = (type: string, body: string) =>
    [`--${id}`, `Content-Type: ${type}; charset=utf-8`, 'Content-Transfer-Encoding: 8bit', '', body].join('\n');
  const date = new Date(nowMs).toUTCString().replace('GMT', '+0000');
  return [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Date: ${date}`,
    ...Object.entries(headersOf(id, from)).map(([name, value]) => `${name}: ${value}`),
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${id}"`,
    '',
    part('text/plain', text),
    part('text/html', html),
    `--${id}--`,
    '',
  ].join('\n');
}

export function outboxTransport({ folder, from, clock, log }: OutboxOptions): MailTransport {
  let written = 0;
  return {
    async send({ id, to, subject, text, html }) {
      // These files give access to accounts.
      await makeFolder(folder);
      // Sorted in the order of sending, also within one millisecond.
      written += 1;
      const order = String(written).padStart(6, '0');
      const name = `${new Date(clock.now()).toISOString().replaceAll(':', '-')}-${order}-${id}`;
      // Readers of *.eml find complete files. The queue counts the mail as sent after this.
      const file = join(folder, `${name}.eml`);
      await writeWhole(file, asFile({ to, subject, text, html }, id, from, clock.now()));
      log.info({ to, subject, link: linkOf(text), file }, 'mail.written');
    },
    async forgetSent(beforeMs) {
      // Names begin with the time.
      const before = new Date(beforeMs).toISOString().replaceAll(':', '-');
      const names = await readdir(folder).catch(() => []);
      const old = names.filter((name) => /\.(?:eml|part)$/.test(name) && name < before);
      for (const name of old) await rm(join(folder, name), { force: true });
    },
    async canDeliver() {
      try {
        await makeFolder(folder);
        await access(folder, constants.W_OK);
        return true;
      } catch {
        return false;
      }
    },
    close: () => undefined,
  };
}
