/** What is kept of the user and another person, read anew after each change. */
import type { MusicState, Result, UserCard } from '@tunemate/protocol';
import { useCallback, useEffect, useState } from 'react';
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

export function useMusic(uid: string): { known: Known; refresh: () => void } {
  const { connection, serverNowMs } = useApp();
  const [known, setKnown] = useState<Known>(null);
  const ask = useCallback(
    (signal?: AbortSignal) =>
      connection.requestUntilAnswered('music/pair', { uid, ago: aYearAgo(serverNowMs()) }, signal ? { signal } : {}),
    [connection, serverNowMs, uid],
  );
  useEffect(() => asking(ask, setKnown), [ask]);
  return { known, refresh: () => void ask().then(setKnown) };
}
