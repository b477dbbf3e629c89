/** Draws the room that this tab visits, on every screen, and restores the visit after a reload. */
import type { UserDocument } from '@tunemate/protocol';
import { useEffect, useEffectEvent, useState } from 'react';
import { matchPath, usePath } from '../../store/address.ts';
import { UserContext, useApp } from '../../app-context.ts';
import { tabStorage } from '../../store/lenient-storage.ts';
import { useFetched } from '../../store/use-fetched.ts';
import { useReadable } from '../../store/use-readable.ts';
import { factsOf, roomKindFacts, type RoomAddress } from '../room-kinds.ts';
import { isVisitTo } from './current-visit.ts';
import type { Visit } from './visit.ts';

const fetchRoom = () => import('./RoomScreen.tsx');

export function VisitHost({ user }: { user: UserDocument }) {
  const { visit } = useApp();
  const now = useReadable(visit);
  const { uid } = user;
  /** The room before the reload, until the tab visits it or another one. */
  const [previous, setPrevious] = useState(() => readStored(uid));
  if (now !== null && previous !== null) setPrevious(null);
  const addressNow = useEffectEvent(() => visit.get() ?? previous);
  useEffect(() => storeWhileHidden(addressNow, uid), [uid]);
  useEffect(() => () => visit.end(), [visit]);
  return (
    <UserContext value={user}>
      {now !== null ? (
        <Visited key={`${now.kind} ${now.code}`} visit={now} />
      ) : (
        previous !== null && <Returning address={previous} />
      )}
    </UserContext>
  );
}

function Visited({ visit }: { visit: Visit }) {
  const code = matchPath(factsOf(visit.kind).roomPath(':code'), usePath())?.['code'];
  const isShown = code !== undefined && isVisitTo(visit, { kind: visit.kind, code });
  const room = useFetched(fetchRoom);
  return room && <room.VisitedRoom visit={visit} isShown={isShown} />;
}

function Returning({ address }: { address: RoomAddress }) {
  const room = useFetched(fetchRoom);
  return room && <room.ReturnToRoom {...address} />;
}

const key = 'tunemate/visit';

/** Stores the room only while the page is hidden or gone, so that a duplicate of an open tab does not enter it too. */
function storeWhileHidden(addressNow: () => RoomAddress | null, uid: string): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const forget = (): void => tabStorage.removeItem(key);
  const store = (): void => {
    const now = addressNow();
    if (now === null) forget();
    else tabStorage.setItem(key, `${uid} ${now.kind} ${encodeURIComponent(now.code)}`);
  };
  forget();
  window.addEventListener('pagehide', store, { signal });
  window.addEventListener('pageshow', forget, { signal });
  document.addEventListener('visibilitychange', () => (document.visibilityState === 'hidden' ? store() : forget()), {
    signal,
  });
  return () => stopping.abort();
}

/** The stored room, if this user visited it: another user may have signed in in this tab. */
function readStored(uid: string): RoomAddress | null {
  const [owner, kind, code] = (tabStorage.getItem(key) ?? '').split(' ');
  if (owner !== uid || !isRoomKind(kind) || code === undefined) return null;
  try {
    return { kind, code: decodeURIComponent(code) };
  } catch {
    return null;
  }
}

const isRoomKind = (kind = ''): kind is RoomAddress['kind'] => Object.hasOwn(roomKindFacts, kind);
