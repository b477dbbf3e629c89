/**
 * Decides what to do about code of this page that could not be fetched: a reload where it is gone, and where it is only
 * away another attempt until it is there. Loaded with the page, and ahead of need.
 */
import { type LostPart, needsReload, reloadOutdated, type StartedApp } from '../app.ts';
import { isProxyFailure, type Reach, reachOf, timeoutMs } from '../connection/reach.ts';
import { handleLostParts, retryLostParts } from '../store/lost-parts.ts';

export function healLostParts(app: StartedApp): void {
  handleLostParts((error, isSecond) => heal(app, error, isSecond));
}

/** A server that is only restarted answers by then. */
const restartMs = 1000;
const lookAgainMs = 5000;

/**
 * A part that the server itself does not have is of a version before an update, and one that the browser failed to
 * fetch may stay away until the page is loaded anew: a reload heals both. It would stop the music of a room, whose
 * visitor decides by the notice. Whatever else answers is said to the user until the part is there.
 */
async function heal(app: StartedApp, error: unknown, isSecond: boolean): Promise<boolean> {
  const { fetch, lostPart } = app;
  let reach = await reachOfPart(fetch, error);
  if (reach === 'away') {
    await new Promise((resolve) => setTimeout(resolve, restartMs));
    reach = await reachOfPart(fetch, error);
  }
  if (reach === 'part' && !isSecond) return true;
  const before = lostPart.get();
  // What else is missing can be fetched after the reload only.
  if (before === 'ours') return false;
  settle(app, reach);
  if (isAway(reach) && !isAway(before)) lookForPart(app, error);
  return false;
}

const isAway = (reach: LostPart): boolean => reach !== null && !needsReload(reach);

function settle({ lostPart, visit }: StartedApp, reach: NonNullable<LostPart>): void {
  lostPart.set(reach);
  if (needsReload(reach) && visit.get() === null) reloadOutdated();
}

/** Until the part is there or gone for good: with the connection, or else not at one moment with all other pages. */
function lookForPart(app: StartedApp, error: unknown): void {
  const { connection, fetch, lostPart } = app;
  const look = async (): Promise<void> => {
    const reach = await reachOfPart(fetch, error);
    if (!isAway(lostPart.get())) return end();
    if (reach !== 'part') return settle(app, reach);
    end();
    lostPart.set(null);
    retryLostParts();
  };
  const looking = setInterval(() => void look(), lookAgainMs * (1 + Math.random()));
  const stop = connection.status.subscribe(() => {
    if (connection.status.get().status === 'live') void look();
  });
  function end(): void {
    clearInterval(looking);
    stop();
  }
}

/** As servers answer for what they do not have. */
const isMissing = new Set([404, 410]);

/**
 * As `reachOf`, for code that could not be fetched: `ours` when the server does not have it, as after an update, and `part`
 * when it answers by now, or may. A part that fails by itself is as far away as the server. Browsers but Safari name the
 * part in the error.
 */
export async function reachOfPart(fetch: typeof globalThis.fetch, error: unknown): Promise<Reach | 'part'> {
  const [address] = /(?:https?:\/)?\/[^\s"']+\.(?:js|css)\b/u.exec(String(error)) ?? [];
  const part = address === undefined ? null : new URL(address, location.origin);
  let status: number | null = null;
  if (part?.origin === location.origin) {
    try {
      const answer = await fetch(part.href, { cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) });
      if (answer.ok && /javascript|css/u.test(answer.headers.get('content-type') ?? '')) return 'part';
      ({ status } = answer);
      if (isProxyFailure(status)) return 'away';
    } catch {
      return 'nothing';
    }
  }
  const reach = await reachOf(fetch);
  if (reach !== 'ours' || isMissing.has(status ?? 0) || (await hasOtherBuild(fetch))) return reach;
  return status === null ? 'part' : 'another';
}

/** Whether the server's page is of another build than this one: it does not name the script that this one began with. */
async function hasOtherBuild(fetch: typeof globalThis.fetch): Promise<boolean> {
  const script = document.querySelector('script[type=module][src]')?.getAttribute('src');
  const answer = await fetch('/login', { cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) }).catch(() => null);
  const html = (await answer?.text().catch(() => null)) ?? '';
  return typeof script === 'string' && html.includes('/assets/') && !html.includes(script);
}
