/**
 * A room of either kind: loading, the room itself, and what is said when somebody may not be here, or when it is over.
 */
import type { RoomKind } from '@tunemate/protocol';
import { useCallback, useEffect, useEffectEvent } from 'react';
import { useLocation } from 'wouter';
import { useApp, useUser } from '../../app-context.ts';
import { createDeviceSound } from '../../playback/device-sound.ts';
import { factsOf, type RoomKindFacts } from '../../rooms/room-kinds.ts';
import { roomSentences } from '../../rooms/room-copy.ts';
import { deviceStorage } from '../../store/lenient-storage.ts';
import { useModel } from '../../store/use-model.ts';
import { useReadable } from '../../store/use-readable.ts';
import { useModals, type Modals } from '../../ui/dialogs/modals.ts';
import { AppLayout } from '../../ui/layout/AppLayout.tsx';
import { LoadingScreen } from '../../ui/feedback/LoadingScreen.tsx';
import { Sleeve } from '../../ui/records/Sleeve.tsx';
import { Vinyl } from '../../ui/records/Vinyl.tsx';
import { LiveRoom } from './LiveRoom.tsx';
import type { RefusedReason, RoomStatus } from '../../rooms/room-model.ts';
import { page } from './page-ports.ts';
import { openRoomSession, type RoomSession } from './room-session.ts';

/** How this device sounds is shared by all rooms of the page. */
const deviceSound = createDeviceSound(deviceStorage);

/** `code` as it stands in the address; the server takes either case. */
export function RoomScreen({ kind, code }: { kind: RoomKind; code: string }) {
  const { connection } = useApp();
  const self = useUser();
  const { uid: selfUid } = self;
  // A change of the room or of the user begins another visit.
  const session = useModel(
    useCallback(
      () => openRoomSession({ connection, kind, code, selfUid, deviceSound }, page),
      [connection, kind, code, selfUid],
    ),
  );
  return session === null ? <Entering kind={kind} /> : <Visit kind={kind} code={code} session={session} self={self} />;
}

interface VisitProps {
  kind: RoomKind;
  code: string;
  session: RoomSession;
  self: { uid: string; name: string };
}

function Visit({ kind, code, session, self }: VisitProps) {
  const config = useReadable(useApp().session.config);
  const state = useReadable(session.lastState);
  const parts = useReadable(session.parts);
  useExitMessage(session, kind, code);
  if (state === null || parts === null) return <Entering kind={kind} />;
  return <LiveRoom kind={kind} session={session} state={state} parts={parts} self={self} config={config} />;
}

function Entering({ kind }: { kind: RoomKind }) {
  const { ink, bandTitle } = factsOf(kind);
  return (
    <AppLayout band={ink} title={bandTitle}>
      <LoadingScreen label={roomSentences.loading} />
    </AppLayout>
  );
}

/** Says why this visit is over and leads where that leads. */
function useExitMessage(session: RoomSession, kind: RoomKind, code: string): void {
  const status = useReadable(session.room.status);
  const modals = useModals();
  const [, navigate] = useLocation();
  const part = useEffectEvent(async (now: RoomStatus) => {
    const to = await showExitMessage(now, kind, code, modals);
    if (to !== null) navigate(to, { replace: true });
  });
  useEffect(() => {
    // A live room changes all the time; only its end is news here.
    if (status.status !== 'live') void part(status);
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

/** The disc leaving its sleeve. */
function LeavingAvatar({ code }: { code: string }) {
  return <Sleeve code={code.toUpperCase()} record={<Vinyl pressed />} peek={0.86} size="116px" />;
}
