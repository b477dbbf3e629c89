/**
 * What takes the place of a mail server while none is set. On the server's own machine the page shows the mail itself; for
 * a person elsewhere an operator is asked. Each mail is also a plain line in the terminal.
 */
import { type EphemeralEvent, type StreamId, userStream } from '@tunemate/protocol';
import type { Writing } from '../../storage/record.ts';
import { customerOf } from '../../system/networks.ts';
import type { Ids } from '../../system/ports.ts';
import type { DueLetter, WithoutMail } from '../accounts-deps.ts';
import { operatorCode, operatorsOf } from './operators.ts';
import { addWait } from './waits.ts';

interface WithoutMailDeps {
  ids: Pick<Ids, 'newId'>;
  /** Prints a line to the terminal, if there is one. */
  say: (line: string) => void;
  /** Tells the pages of operators that the list has changed. */
  send: (to: StreamId, news: EphemeralEvent) => void;
  /** Logs the code that makes the first operator. */
  offerCode: (code: string) => void;
}

export function createWithoutMail({ ids, say, send, offerCode }: WithoutMailDeps): WithoutMail {
  async function tellOperators({ db, afterCommit }: Pick<Writing, 'db' | 'afterCommit'>): Promise<void> {
    const operators = await operatorsOf(db);
    afterCommit(() => operators.forEach(({ uid }) => send(userStream(uid), { type: 'operators/waiting' })));
  }

  return {
    async deliver(writing, letter, caller) {
      const { db, nowMs, afterCommit } = writing;
      const { kind, uid, name, number, passwordHash, ticketHash } = letter;
      const isHere = caller.isFromThisMachine;
      afterCommit(() => say(lineOf(letter, isHere)));
      if (isHere) return;
      await addWait(
        db,
        {
          ...{ id: ids.newId(), kind, uid, name, number, password_hash: passwordHash, ticket_hash: ticketHash },
          network: customerOf(caller.network),
        },
        nowMs,
      );
      const code = await operatorCode(db);
      if (code !== null) afterCommit(() => offerCode(code));
      await tellOperators(writing);
    },
    tellOperators,
    shown({ subject, link }, at) {
      const { pathname, search } = new URL(link);
      return { subject, link: `${pathname}${search}`, at };
    },
  };
}

const purposes: Record<DueLetter['kind'], string> = {
  'sign-up': 'verify',
  known: 'has an account',
  reset: 'new password',
};

function lineOf({ kind, name, email, link, number }: DueLetter, isHere: boolean): string {
  const which = number === null ? '' : ` ${String(number)}`;
  if (isHere || kind !== 'sign-up') return `Mail${which}  ${name}, ${purposes[kind]}: ${link}`;
  return `Waiting${which}  ${name} (${email}): let in on your home page, or verify: ${link}`;
}
