/**
 * Shows that the connection is lost once it has been for two seconds, with a button to retry now, and that the page is
 * older than the server.
 */
import { useEffect, useState } from 'react';
import { useApp } from '../app-context.ts';
import { shellWords } from '../words/shell.ts';
import { useReadable } from '../store/use-readable.ts';
import { Button, Spinner } from '../ui/buttons/Button.tsx';
import styles from './ConnectionNotice.module.css';

/** A connection that is restored sooner needs no notice. */
const patienceMs = 2000;

export function ConnectionNotice() {
  const { connection, reconnectNow } = useApp();
  const { status } = useReadable(connection.status);
  const isBroken = useLasting(status === 'reconnecting', patienceMs);
  return (
    <output className={styles.region}>
      {isBroken && (
        <span className={styles.notice}>
          <Spinner />
          {navigator.onLine ? shellWords.reconnecting : shellWords.offline}
          {navigator.onLine && (
            <Button small variant="primary" onClick={reconnectNow}>
              {shellWords.tryAgain}
            </Button>
          )}
        </span>
      )}
      {status === 'outdated' && (
        <span className={styles.notice}>
          {shellWords.outdated}
          <Button small variant="primary" onClick={() => location.reload()}>
            {shellWords.reload}
          </Button>
        </span>
      )}
    </output>
  );
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
