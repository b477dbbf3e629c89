/**
 * A room of either kind: loading, the room itself, and what is said when somebody may not be here, or when it is over.
 */
import type { RoomDocument, RoomKind, UserCard } from '@tunemate/protocol';
import { useCallback, useEffect, useEffectEvent } from 'react';
import { useLocation } from 'wouter';
import { useApp, useUser } from '../../app-context.ts';
import { sentences } from '../../copy/errors.ts';
import { createDeviceSound } from '../../playback/device-sound.ts';
import { factsOf, type RoomKindFacts } from '../room-kinds.ts';
import { removalLasts, roomSentences } from '../room-copy.ts';
import { isVisitTo, type Visit } from './visit.ts';
import { deviceStorage } from '../../store/lenient-storage.ts';
import { prefetch, useFetched } from '../../store/use-fetched.ts';
import { useModel } from '../../store/use-model.ts';
import { useReadable } from '../../store/use-readable.ts';
import { useModals, type Modals } from '../../ui/dialogs/modals.ts';
import { ScreenShownContext } from '../../ui/dialogs/use-modal-element.ts';
import { AppLayout } from '../../ui/layout/AppLayout.tsx';
import { LoadingScreen } from '../../ui/feedback/LoadingScreen.tsx';
import { Sleeve } from '../../ui/records/Sleeve.tsx';
import { Vinyl } from '../../ui/records/Vinyl.tsx';
import { LiveRoom } from './LiveRoom.tsx';
import type { RoomView } from './Stage.tsx';
import type { RefusedReason, RoomStatus } from './room-model.ts';
import { page } from './page-ports.ts';
import { openRoomSession, type RoomSession } from './room-session.ts';
import { useHosting } from '../hosting/use-hosting.tsx';
import styles from './Visit.module.css';

interface RoomAddress {
  kind: RoomKind;
  code: string;
}

/** How this device sounds is shared by all rooms of the page. */
const deviceSound = createDeviceSound(deviceStorage);

/**
 * The page of a room: begins the visit that its address names. The room itself is drawn by the visit. `code` as it
 * stands in the address; the server takes either case.
 */
export function RoomScreen({ kind, code }: RoomAddress) {
  const { visit } = useApp();
  const now = useReadable(visit);
  const modals = useModals();
  const [, navigate] = useLocation();
  const begin = useEffectEvent(async (page: { isGone: boolean }) => {
    // In development React mounts twice; only the second mount asks.
    await Promise.resolve();
    const other = visit.get();
    if (page.isGone || isVisitTo(other, { kind, code })) return;
    const isSure = other === null || other.room === null || (await modals.confirm(changeRooms(other.room)));
    if (page.isGone) return;
    if (isSure) visit.set({ kind, code, room: null });
    else navigate(factsOf(other.kind).roomPath(other.code), { replace: true });
  });
  useEffect(() => {
    const page = { isGone: false };
    void begin(page);
    return () => {
      page.isGone = true;
    };
  }, []);
  return isVisitTo(now, { kind, code }) ? null : <Entering kind={kind} />;
}

/** The visited room, on its own screen or behind another one. Its player never moves in the document. */
export function VisitedRoom({ kind, code, isShown }: RoomAddress & { isShown: boolean }) {
  const { connection } = useApp();
  const self = useUser();
  const { uid: selfUid } = self;
  const session = useModel(
    useCallback(
      () => openRoomSession({ connection, kind, code, selfUid, deviceSound }, page),
      [connection, kind, code, selfUid],
    ),
  );
  if (session === null) return isShown && <Entering kind={kind} />;
  return <OpenVisit kind={kind} code={code} isShown={isShown} session={session} self={self} />;
}

interface OpenVisitProps extends RoomAddress {
  isShown: boolean;
  session: RoomSession;
  self: UserCard;
}

function OpenVisit(props: OpenVisitProps) {
  const { kind, session, self, isShown } = props;
  const config = useReadable(useApp().session.config);
  const state = useReadable(session.lastState);
  const parts = useReadable(session.parts);
  useVisitedRoom(props, state?.room ?? null);
  useExitMessage(props);
  // A room is left for another screen a while after it was entered: by then the bar's code is here.
  useEffect(() => prefetch(fetchBar), []);
  if (state === null || parts === null) return isShown && <Entering kind={kind} />;
  return <Inside {...{ kind, session, state, parts, self, config, isShown }} />;
}

/** The room or its bar. Who hosts is asked and answered over any screen; what else is open goes with the room's own. */
function Inside(props: RoomView & { isShown: boolean }) {
  const { session, isShown } = props;
  const isLive = useReadable(session.room.status).status === 'live';
  const hosting = useHosting(props);
  return (
    <>
      <div className={isShown ? styles.shown : styles.away} data-away={isShown ? undefined : ''}>
        <ScreenShownContext value={isShown}>
          <LiveRoom {...props} hosting={hosting} />
        </ScreenShownContext>
      </div>
      {!isShown && isLive && <Bar {...props} onLeave={hosting.leave} />}
      {hosting.dialogs}
    </>
  );
}

const fetchBar = () => import('./VisitBar.tsx');

function Bar(props: RoomView & { onLeave: () => void }) {
  const code = useFetched(fetchBar);
  return code && <code.VisitBar {...props} />;
}

/** Tells the app which room this is, once it is known. */
function useVisitedRoom({ kind, code, self }: OpenVisitProps, room: RoomDocument | null): void {
  const { visit } = useApp();
  const name = room?.name;
  const isHost = room?.host === self.uid;
  useEffect(() => {
    if (name !== undefined) visit.set({ kind, code, room: { name, isHost } });
  }, [visit, kind, code, name, isHost]);
}

function Entering({ kind }: { kind: RoomKind }) {
  const { ink, bandTitle } = factsOf(kind);
  return (
    <AppLayout band={ink} title={bandTitle}>
      <LoadingScreen label={roomSentences.loading} />
    </AppLayout>
  );
}

/** Says why this visit is over; from the room's own screen it leads where that leads. */
function useExitMessage({ kind, code, session, isShown }: OpenVisitProps): void {
  const { visit } = useApp();
  const status = useReadable(session.room.status);
  const modals = useModals();
  const [, navigate] = useLocation();
  const end = useEffectEvent((to: string) => {
    visit.update((now) => (isVisitTo(now, { kind, code }) ? null : now));
    if (isShown) navigate(to, { replace: true });
  });
  const part = useEffectEvent(async (now: RoomStatus) => {
    // A visit that a reload could not bring back behind another screen was nobody's wish just now.
    const isUnnoticed = !isShown && session.lastState.get() === null;
    const to = isUnnoticed ? '/' : await showExitMessage(now, kind, code, modals);
    if (to !== null) end(to);
  });
  useEffect(() => {
    // A live room changes all the time; only its end is news here.
    if (status.status !== 'live' && status.status !== 'entering') void part(status);
  }, [status]);
}

/** The address to go to after the message was read; null to stay. */
async function showExitMessage(now: RoomStatus, kind: RoomKind, code: string, modals: Modals): Promise<string | null> {
  const facts = factsOf(kind);
  if (now.status === 'left') return '/';
  if (now.status === 'ended') {
    await modals.ok(facts.ended, { art: <LeavingAvatar code={code} />, band: facts.ink });
    return '/';
  }
  if (now.status === 'removed') {
    const text = now.howLong === null ? undefined : removalLasts[now.howLong];
    await modals.ok(sentences['room/removed'], { text, band: facts.ink });
    return '/';
  }
  if (now.status !== 'refused') return null;
  const exitMessage = farewells(facts, code)[now.reason];
  await modals.ok(exitMessage.message, { band: facts.ink });
  return exitMessage.to;
}

/** What is said to somebody who may not be here, and where it leads. */
function farewells(facts: RoomKindFacts, code: string): Record<RefusedReason, { message: string; to: string }> {
  const named = encodeURIComponent(code);
  return {
    'not-found': { message: roomSentences.notFound, to: '/' },
    failed: { message: roomSentences.enteringFailed, to: '/' },
    'not-member': { message: roomSentences.accessDenied, to: `${facts.joinPath}?code=${named}` },
  };
}

/** Asks before another room takes this one's place: a tab visits one room at a time. */
function changeRooms({ name, isHost }: NonNullable<Visit['room']>) {
  return {
    question: `Leave ${name} for another room?`,
    consequence: isHost
      ? 'You are the host. The room ends in 15 minutes unless you return.'
      : 'You hear one room at a time. Your seat stays, and you can return.',
    action: 'Change rooms',
  };
}

/** The disc leaving its sleeve. */
function LeavingAvatar({ code }: { code: string }) {
  return <Sleeve code={code.toUpperCase()} record={<Vinyl pressed />} peek={0.86} size="116px" />;
}
