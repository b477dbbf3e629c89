/**
 * A real SMTP server that keeps what it is sent, and fails on request the ways real ones do.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { parseMail, type ReceivedMail } from '../services/outbox.ts';

/** How the server treats the next mails. */
export type SmtpMood =
  /** Takes every mail. */
  | 'accepts'
  /** Refuses each recipient for good (550). */
  | 'refuses'
  /** Refuses addresses beyond ASCII, as a server without SMTPUTF8 does (553). */
  | 'takes ASCII'
  /** Refuses the text of each mail for good (554). */
  | 'refuses text'
  /** Refuses our own address for good (550): a wrong setting, whatever the recipient is. */
  | 'refuses sender'
  /** Does not relay without a password (554): a wrong setting, whatever the recipient is. */
  | 'relays nothing'
  /** Blocks the address that we send from (550), as servers with a block list do. */
  | 'blocks us'
  /** Takes no text of a sender whose domain does not vouch for it (550), as the largest mail services do. */
  | 'asks for DMARC'
  /** Asks to try again later (451). */
  | 'defers'
  /** Takes the connection and never answers a command. */
  | 'hangs';

/** A server that listens until it is stopped. */
export interface SmtpSink {
  /** For `SMTP_URL`. */
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Waits for the `count`th mail to `recipient` (1 is the first). */
  waitForMail(recipient: string, count?: number): Promise<ReceivedMail>;
  setMood(mood: SmtpMood): void;
  stop(): Promise<void>;
}

/** Starts a server on a free port of 127.0.0.1. */
export async function startSmtpSink(): Promise<SmtpSink> {
  const mails: ReceivedMail[] = [];
  const waiting = new Set<() => void>();
  let mood: SmtpMood = 'accepts';

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    // A client that hangs must not keep the test waiting at its end (milliseconds).
    closeTimeout: 10,
    onMailFrom(_address, _session, done) {
      done(mood === 'refuses sender' ? reply(550, '5.7.1 Not for you') : null);
    },
    onRcptTo({ address }, _session, done) {
      if (mood === 'hangs') return;
      done(refusal(mood, address));
    },
    onData(stream, _session, done) {
      let source = '';
      stream.setEncoding('utf8');
      stream.on('data', (piece: string) => (source += piece));
      stream.on('end', () => {
        if (mood === 'refuses text') {
          done(reply(554, '5.7.1 Looks like spam'));
          return;
        }
        if (mood === 'asks for DMARC') {
          done(reply(550, "5.7.26 Unauthenticated email is not accepted due to the domain's DMARC policy"));
          return;
        }
        mails.push(parseMail(source));
        waiting.forEach((look) => look());
        done();
      });
    },
  });
  server.on('error', () => {
    // A client that disconnects in the middle of a mail is no failure of this server; the test checks what arrived.
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;

  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    waitForMail: (recipient, count = 1) =>
      new Promise((resolve) => {
        const look = () => {
          const mail = mails.filter(({ to }) => to.includes(recipient))[count - 1];
          if (!mail) return;
          waiting.delete(look);
          resolve(mail);
        };
        waiting.add(look);
        look();
      }),
    setMood(next) {
      mood = next;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const reply = (responseCode: number, text: string): Error => Object.assign(new Error(text), { responseCode });

function refusal(mood: SmtpMood, address: string): Error | null {
  if (mood === 'refuses') return reply(550, '5.1.1 No such mailbox');
  if (mood === 'takes ASCII' && /\P{ASCII}/u.test(address)) return reply(553, '5.6.7 Not without SMTPUTF8');
  if (mood === 'relays nothing') return reply(554, `<${address}>: Relay access denied`);
  if (mood === 'blocks us') return reply(550, '5.7.1 Service unavailable; client host blocked');
  if (mood === 'defers') return reply(451, 'Try again later');
  return null;
}
