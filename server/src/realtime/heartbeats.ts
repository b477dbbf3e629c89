/**
 * Pings every link at its interval and ends those that do not answer, with one timer for all: each link has a turn among
 * the turns of an interval.
 */
import { pingEveryMs, pongWithinMs } from '@tunemate/protocol';
import type { Link } from './link.ts';

const turns = 25;
const turnMs = pingEveryMs / turns;
/** So many turns after its ping a link is due. Turns are counted, not time: a process that was held up ends nobody. */
const turnsToAnswer = Math.ceil(pongWithinMs / turnMs);

type Beating = Pick<Link, 'ping' | 'terminate' | 'heardAtMs'>;

/** Another time for a turn is for tests. */
export function heartbeats(everyMs = turnMs) {
  const linksOf = Array.from({ length: turns }, () => new Set<Beating>());
  const pingedAtMs = Array.from({ length: turns }, () => -Infinity);
  let now = 0;
  let next = 0;

  function turn(): void {
    now = (now + 1) % turns;
    const due = (now + turns - turnsToAnswer) % turns;
    const sinceMs = pingedAtMs[due] ?? 0;
    for (const link of linksOf[due] ?? []) if (link.heardAtMs < sinceMs) link.terminate('silent');
    pingedAtMs[now] = performance.now();
    for (const link of linksOf[now] ?? []) link.ping();
  }
  const timer = setInterval(turn, everyMs).unref();

  return {
    /** Returns what ends its heartbeat. */
    add(link: Beating): () => void {
      next = (next + 1) % turns;
      const links = linksOf[next];
      links?.add(link);
      return () => void links?.delete(link);
    },
    close: () => clearInterval(timer),
  };
}
