/** Draws the room that this tab visits, whatever screen is shown: the screens come and go, the visit stays. */
import type { UserDocument } from '@tunemate/protocol';
import { useEffect } from 'react';
import { useRoute } from 'wouter';
import { UserContext, useApp } from '../../app-context.ts';
import { keepVisit } from './kept-visit.ts';
import { factsOf } from '../room-kinds.ts';
import { isVisitTo, type Visit } from './visit.ts';
import { tabStorage } from '../../store/lenient-storage.ts';
import { useFetched } from '../../store/use-fetched.ts';
import { useReadable } from '../../store/use-readable.ts';

const fetchRoom = () => import('./RoomScreen.tsx');

export function VisitHost({ user }: { user: UserDocument }) {
  const { session, visit } = useApp();
  const { uid } = user;
  const now = useReadable(visit);
  useEffect(() => keepVisit(visit, { uid, storage: tabStorage, window }), [visit, uid]);
  useEffect(
    () => () => {
      if (session.session.get().status !== 'signed-in') visit.set(null);
    },
    [session, visit],
  );
  return <UserContext value={user}>{now && <Visited key={`${now.kind} ${now.code}`} visit={now} />}</UserContext>;
}

function Visited({ visit }: { visit: Visit }) {
  const { kind, code } = visit;
  const [isRoom, params] = useRoute<{ code: string }>(factsOf(kind).roomPath(':code'));
  const isShown = isRoom && isVisitTo(visit, { kind, code: params.code });
  const room = useFetched(fetchRoom);
  return room && <room.VisitedRoom kind={kind} code={code} isShown={isShown} />;
}
