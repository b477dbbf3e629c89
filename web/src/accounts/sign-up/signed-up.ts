/**
 * The sign-up whose mail this tab waits for, kept over a reload: phones drop a page while its user reads the mail. What
 * signs the browser in is a cookie that no page can read.
 */
import type { ShownMail } from '@tunemate/protocol';
import type { CallRoute } from '../../connection/http.ts';
import { cell, type Readable } from '../../store/cell.ts';
import type { Clock } from '../../store/clock.ts';
import { tabStorage } from '../../store/lenient-storage.ts';

export interface SignedUp {
  readonly email: string;
  /** Names the sign-up, and sends its mail again. */
  readonly ticket: string;
  /** Two digits that the page of the mail, or of an operator, shows as well. */
  readonly number: number;
  /** As it was typed. Absent in what older versions kept. */
  readonly name?: string;
  /** When the sign-up was sent, on this device's clock. */
  readonly at?: number;
  /** The mail itself, on the machine of a server without a mail server. */
  readonly mail?: ShownMail;
}

const kept = 'tunemate/signed-up';

export function keepSignedUp(signedUp: SignedUp | null): void {
  if (signedUp === null) tabStorage.removeItem(kept);
  else tabStorage.setItem(kept, JSON.stringify(signedUp));
}

export function keptSignedUp(): SignedUp | null {
  try {
    const { email, ticket, number, ...rest } = JSON.parse(tabStorage.getItem(kept) ?? 'null') as Partial<SignedUp>;
    if (email === undefined || ticket === undefined || number === undefined) return null;
    return { email, ticket, number, ...rest };
  } catch {
    return null;
  }
}

export interface Waiting {
  readonly status: Readable<'waiting' | 'signed-in' | 'refused' | 'over'>;
  /** Asks at once: the page may have been frozen with its request. */
  wake(): void;
  close(): void;
}

/** The server holds each request for some seconds. */
const askAgainMs = 1000;
const afterFailureMs = 3000;

export function waitForLink(callRoute: CallRoute, ticket: string, { schedule }: Pick<Clock, 'schedule'>): Waiting {
  const status = cell<'waiting' | 'signed-in' | 'refused' | 'over'>('waiting');
  let round = 0;
  let cancel = (): void => undefined;

  async function ask(): Promise<void> {
    cancel();
    round += 1;
    const own = round;
    const answer = await callRoute('POST /api/accounts/continue-sign-up', { ticket });
    if (own !== round && !(answer.ok && answer.value.status === 'signed-in')) return;
    if (answer.ok && answer.value.status !== 'waiting') return status.set(answer.value.status);
    cancel = schedule(() => void ask(), answer.ok ? askAgainMs : (answer.error.retryAfterMs ?? afterFailureMs));
  }

  void ask();
  return {
    status,
    wake: () => {
      if (status.get() === 'waiting') void ask();
    },
    close() {
      round += 1;
      cancel();
    },
  };
}
