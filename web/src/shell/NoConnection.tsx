/**
 * What a page shows that opened, as a stored one does, and can't reach the server: when it tries again, and a key to try
 * now. The waits get longer, and are not those of all other pages.
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useBusy } from '../store/use-busy.ts';
import { Button, Spinner } from '../ui/buttons/Button.tsx';
import { ownSheet } from '../ui/own-sheet.ts';
import { Vinyl } from '../ui/records/Vinyl.tsx';
import { shellWords } from '../words/shell.ts';
import { t } from '../language/t.ts';
import sheet from './NoConnection.css?inline';

const styles = ownSheet('away', sheet);

const firstWaitSeconds = 2;
const longestWaitSeconds = 60;

interface NoConnectionProps {
  title: string;
  onTry: () => Promise<void>;
}

export function NoConnection({ title, onTry }: NoConnectionProps) {
  const { isBusy, run } = useBusy();
  const leftSeconds = useTries(isBusy, () => run(onTry));
  return (
    <div className={styles.page}>
      <span className={styles.sleeve} aria-hidden="true">
        <Vinyl />
      </span>
      <h1>{title}</h1>
      <p>{t`Tunemate opened, but it can’t reach its server. This page goes on by itself once it can.`}</p>
      {/* Not read out each second. */}
      <p className={styles.next} aria-hidden="true">
        <Spinner />
        <span>{isBusy ? t`Reconnecting…` : t`Trying again in ${leftSeconds} s`}</span>
      </p>
      <Button variant="primary" onClick={() => run(onTry)}>
        {shellWords.tryAgain}
      </Button>
    </div>
  );
}

/** Tries after each wait, and answers how many seconds are left of it. */
function useTries(isTrying: boolean, onTry: () => void): number {
  const wait = useRef(firstWaitSeconds);
  const [left, setLeft] = useState(firstWaitSeconds);
  const tick = useEffectEvent((): void => {
    if (isTrying) return;
    if (left > 1) return setLeft(left - 1);
    wait.current = Math.min(longestWaitSeconds, wait.current * 2);
    setLeft(Math.ceil(wait.current * (0.75 + Math.random() / 2)));
    onTry();
  });
  useEffect(() => {
    const timer = setInterval(() => tick(), 1000);
    return () => clearInterval(timer);
  }, []);
  return left;
}
