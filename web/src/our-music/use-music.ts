/** What is kept of the user and another person, read anew after each change. */
import type { MusicState, Result, UserCard } from '@tunemate/protocol';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useApp } from '../app-context.ts';
import { asking } from '../store/asking.ts';
import { useReadable } from '../store/use-readable.ts';
import { aYearAgo } from './days.ts';

/** The other person, as the user's lists name them; null while these are not known, or for none of them. */
export function useOther(uid: string): UserCard | null {
  const app = useApp();
  const bond = useReadable(app.soulmate.soulmate);
  const mates = useReadable(app.tunemates.tunemates);
  if (bond.status === 'bound' && bond.soulmate.uid === uid) return bond.soulmate;
  return mates?.find((mate) => mate.uid === uid) ?? null;
}

export type Known = Result<MusicState> | null;

/**
 * Anew also where the question between the two comes or goes, and once the page is seen again: no other news tells of an
 * answer.
 */
export function useMusic(uid: string): { known: Known; refresh: () => void } {
  const { connection, notifications, serverNowMs } = useApp();
  const [known, setKnown] = useState<Known>(null);
  const stopAsking = useRef((): void => undefined);
  const refresh = useCallback((): void => {
    stopAsking.current();
    const ask = (signal: AbortSignal) =>
      connection.requestUntilAnswered('music/pair', { uid, ago: aYearAgo(serverNowMs()) }, { signal });
    stopAsking.current = asking(ask, setKnown);
  }, [connection, serverNowMs, uid]);
  useEffect(() => {
    const inbox = notifications.notifications;
    const questionNow = () => inbox.get()?.find(({ type, senderUid }) => type === 'music' && senderUid === uid)?.id;
    let question = questionNow();
    refresh();
    const unsubscribe = inbox.subscribe(() => {
      const now = questionNow();
      if (now !== question) refresh();
      question = now;
    });
    const onSight = (): void => void (document.visibilityState === 'visible' && refresh());
    document.addEventListener('visibilitychange', onSight);
    return () => {
      stopAsking.current();
      unsubscribe();
      document.removeEventListener('visibilitychange', onSight);
    };
  }, [notifications, refresh, uid]);
  return { known, refresh };
}
