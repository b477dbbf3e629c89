/** Notices a process that stands still: it takes connections and answers nothing, while another one would. */
import type { Result } from '@tunemate/protocol';
import type { Readable } from '../store/cell.ts';
import type { Clock } from '../store/clock.ts';
import type { ConnectionStatus, Link } from './port.ts';
import { unavailable } from './retry.ts';

const probeAfterMs = 2500;
const probeTimeoutMs = 3000;

interface SuspectedLink {
  readonly status: Readable<ConnectionStatus>;
  /** The link that is open or being opened. */
  readonly current: () => Link | null;
  readonly reconnect: () => void;
}

/** Gives up a link that answers neither a request nor a probe, which the server answers whatever its database does. */
export function createSuspicion(
  clock: Clock,
  { status, current, reconnect }: SuspectedLink,
  sendProbe: (timeoutMs: number) => Promise<Result<unknown>>,
) {
  let probed: Link | null = null;

  async function probe(): Promise<void> {
    const link = current();
    if (status.get().status !== 'live' || probed === link) return;
    probed = link;
    const answer = await sendProbe(probeTimeoutMs);
    if (probed === link) probed = null;
    if (answer.ok || answer.error.code !== unavailable.error.code) return;
    if (current() === link) reconnect();
  }

  return {
    probe,
    /** Probes the link when there is no answer for a while. */
    watch<Answer>(answered: Promise<Answer>): Promise<Answer> {
      const cancelProbe = clock.schedule(() => void probe(), probeAfterMs);
      void answered.then(cancelProbe);
      return answered;
    },
  };
}
