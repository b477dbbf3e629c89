/**
 * Draws the room that this tab visits, whatever screen is shown: the screens come and go, the visit stays. Brings it back
 * after a reload.
 */
import type { UserDocument } from '@tunemate/protocol';
import { useEffect, useEffectEvent, useState } from 'react';
import { useRoute } from 'wouter';
import { UserContext, useApp } from '../../app-context.ts';
import type { LenientStorage } from '../../store/lenient-storage.ts';
import { tabStorage } from '../../store/lenient-storage.ts';
import { useFetched } from '../../store/use-fetched.ts';
import { useReadable } from '../../store/use-readable.ts';
import { factsOf, roomKindFacts } from '../room-kinds.ts';
import { isVisitTo, type RoomAddress } from './current-visit.ts';
import type { Visit } from './visit.ts';

const fetchRoom = () => import('./RoomScreen.tsx');

export function VisitHost({ user }: { user: UserDocument }) {
  const { visit } = useApp();
  const now = useReadable(visit);
  const { uid } = user;
  /** The room that was left by a reload, until it or another one is visited. */
  const [left, setLeft] = useState(() => readKept(tabStorage, uid));
  if (now !== null && left !== null) setLeft(null);
  const addressNow = useEffectEvent(() => visit.get() ?? left);
  useEffect(() => keepAddress(addressNow, { uid, storage: tabStorage, window }), [uid]);
  useEffect(() => () => visit.end(), [visit]);
  return (
    <UserContext value={user}>
      {now !== null ? (
        <Visited key={`${now.kind} ${now.code}`} visit={now} />
      ) : (
        left !== null && <Returning address={left} />
      )}
    </UserContext>
  );
}

function Visited({ visit }: { visit: Visit }) {
  const [isRoom, params] = useRoute<{ code: string }>(factsOf(visit.kind).roomPath(':code'));
  const isShown = isRoom && isVisitTo(visit, { kind: visit.kind, code: params.code });
  const room = useFetched(fetchRoom);
  return room && <room.VisitedRoom visit={visit} isShown={isShown} />;
}

function Returning({ address }: { address: RoomAddress }) {
  const room = useFetched(fetchRoom);
  return room && <room.ReturnToRoom {...address} />;
}

const key = 'tunemate/visit';

/**
 * Stores the room only while the page is hidden or gone, so that a duplicate of an open tab does not play the same music
 * again.
 */
function keepAddress(
  addressNow: () => RoomAddress | null,
  { uid, storage, window }: { readonly uid: string; readonly storage: LenientStorage; readonly window: Window },
): () => void {
  const { document } = window;
  const stopping = new AbortController();
  const { signal } = stopping;
  const forget = (): void => storage.removeItem(key);
  const store = (): void => {
    const now = addressNow();
    if (now === null) forget();
    else storage.setItem(key, `${uid} ${now.kind} ${encodeURIComponent(now.code)}`);
  };
  forget();
  window.addEventListener('pagehide', store, { signal });
  window.addEventListener('pageshow', forget, { signal });
  document.addEventListener('visibilitychange', () => (document.visibilityState === 'hidden' ? store() : forget()), {
    signal,
  });
  return () => stopping.abort();
}

/** The room that this user left in this tab, if there is one. */
function readKept(storage: LenientStorage, uid: string): RoomAddress | null {
  const [owner, kind, code] = (storage.getItem(key) ?? '').split(' ');
  if (owner !== uid || !isRoomKind(kind) || code === undefined) return null;
  try {
    return { kind, code: decodeURIComponent(code) };
  } catch {
    return null;
  }
}

const isRoomKind = (kind = ''): kind is RoomAddress['kind'] => Object.hasOwn(roomKindFacts, kind);
