/**
 * Shows that the connection is lost once it has been for two seconds, with its cause where one is known and a button to
 * retry now, that code of the page can't be fetched, that the page is older than the server, and that a newer version is
 * stored on this device.
 */
import { useEffect, useState } from 'react';
import { useApp } from '../app-context.ts';
import { needsReload } from '../app.ts';
import { reachOf } from '../connection/reach.ts';
import { sentenceOf } from '../words/errors.ts';
import { causes, reloadWords, shellWords } from '../words/shell.ts';
import { tabStorage } from '../store/lenient-storage.ts';
import { useReadable } from '../store/use-readable.ts';
import { Button, Spinner } from '../ui/buttons/Button.tsx';
import styles from './ConnectionNotice.module.css';
import { keepTypedText } from './page-life.ts';

/** A connection that is restored sooner needs no notice. */
const patienceMs = 2000;

export function ConnectionNotice() {
  const { connection, reconnectNow, lostPart, hasNewer, visit } = useApp();
  const lost = useReadable(lostPart);
  const now = useReadable(connection.status);
  const { status } = now;
  const [isLater, setIsLater] = useState(false);
  // The old version works on: nobody has to leave a room for it.
  const isInRoom = useReadable(visit) !== null;
  const mayRenew = useReadable(hasNewer) && !isInRoom && !isLater;
  const isBroken = useLasting(status === 'reconnecting', patienceMs);
  const cause = useCause(now.status === 'reconnecting' ? now.attempt : 0);
  return (
    <output className={styles.region}>
      {isBroken && (
        <span className={styles.notice}>
          <Spinner />
          <span>{navigator.onLine ? (cause ?? shellWords.reconnecting) : shellWords.offline}</span>
          {navigator.onLine && (
            <Button small variant="primary" onClick={reconnectNow}>
              {shellWords.tryAgain}
            </Button>
          )}
        </span>
      )}
      {lost !== null && !needsReload(lost) && !isBroken && (
        <span className={styles.notice}>
          <Spinner />
          <span>{causes[lost] ?? sentenceOf({ code: 'server/unavailable' })}</span>
        </span>
      )}
      {(status === 'outdated' || needsReload(lost)) && (
        <span className={styles.notice}>
          <span>{reloadWords[needsReload(lost) ? lost : 'ours']}</span>
          <Button small variant="primary" onClick={reload}>
            {shellWords.reload}
          </Button>
        </span>
      )}
      {mayRenew && (
        <span className={styles.notice}>
          <span>{shellWords.newer}</span>
          <Button small variant="primary" onClick={reload}>
            {shellWords.takeNewer}
          </Button>
          <Button small onClick={() => setIsLater(true)}>
            {shellWords.later}
          </Button>
        </span>
      )}
    </output>
  );
}

function reload(): void {
  keepTypedText(tabStorage);
  location.reload();
}

/** Attempts that fail before the cause is looked for: a server that is only restarted needs fewer. */
const attemptsWithoutCause = 5;

/** Why the attempts fail, looked for with each of them; null while it is not known. */
function useCause(attempt: number): string | null {
  const app = useApp();
  const [cause, setCause] = useState<string | null>(null);
  useEffect(() => {
    if (attempt < attemptsWithoutCause) return undefined;
    let isCurrent = true;
    void reachOf(app.fetch).then((reach) => isCurrent && setCause(causes[reach]));
    return () => {
      isCurrent = false;
    };
  }, [attempt, app]);
  return attempt < attemptsWithoutCause ? null : cause;
}

/** True once `is` has been true for `afterMs`. */
function useLasting(is: boolean, afterMs: number): boolean {
  const [hasLasted, setHasLasted] = useState(false);
  useEffect(() => {
    if (!is) return undefined;
    const timer = setTimeout(() => setHasLasted(true), afterMs);
    return () => {
      clearTimeout(timer);
      setHasLasted(false);
    };
  }, [is, afterMs]);
  return is && hasLasted;
}
