/** A room of either kind: loading, the room itself, and the messages when the visit is refused or over. */
import type { RoomKind } from '@tunemate/protocol';
import { useDeferredValue, useEffect, useEffectEvent } from 'react';
import { navigate } from '../../store/address.ts';
import { useApp, useUser } from '../../app-context.ts';
import { newUuid } from '../../connection/ids.ts';
import { createDeviceSound, createSoundTurn, openTurnChannel } from '../../playback/device-sound.ts';
import { createPlayerMemory, createPagePlayer } from '../../playback/players/page-player.ts';
import { pageTimers } from '../../playback/players/page-timers.ts';
import { deviceStorage } from '../../store/lenient-storage.ts';
import { factsOf, type RoomAddress } from '../room-kinds.ts';
import { isVisitTo } from './current-visit.ts';
import { openVisit, type PagePorts, type RoomView, type Visit } from './visit.ts';
import { afterFirstSound, endFirstSound, expectFirstSound } from '../../store/first-sound.ts';
import { fetchPart } from '../../store/lost-parts.ts';
import { prefetch, useFetched } from '../../store/use-fetched.ts';
import { useReadable } from '../../store/use-readable.ts';
import { useModals } from '../../ui/dialogs/modals.ts';
import { ScreenShownContext } from '../../ui/dialogs/use-modal-element.ts';
import { AppLayout } from '../../ui/layout/AppLayout.tsx';
import { LoadingScreen } from '../../ui/feedback/LoadingScreen.tsx';
import { LiveRoom } from './LiveRoom.tsx';
import type { RoomStatus } from './room-model.ts';
import { useHosting } from '../hosting/hosting.tsx';
import styles from './Visit.module.css';
import { OwnText } from '../../ui/OwnText.tsx';
import { t } from '../../language/t.ts';

const soundTurn = createSoundTurn(openTurnChannel(), () => Date.now(), newUuid());
window.addEventListener('pagehide', soundTurn.release);

const thisPage: PagePorts = {
  schedule: pageTimers,
  storage: deviceStorage,
  nowMs: () => performance.now(),
  wallMs: () => Date.now(),
  createStage: createPagePlayer,
  playerMemory: createPlayerMemory(deviceStorage),
  deviceSound: createDeviceSound(deviceStorage, soundTurn),
  mediaSession: 'mediaSession' in navigator ? navigator.mediaSession : undefined,
};

/** What is asked and said as a tab leaves a room. */
const fetchLeaving = () => fetchPart(() => import('./leaving.tsx'));

/** The page of a room: begins the visit that its address names. `VisitHost` draws the room itself. */
export function RoomScreen({ kind, code }: RoomAddress) {
  const { visit } = useApp();
  const now = useReadable(visit);
  const modals = useModals();
  const { uid: selfUid } = useUser();
  const open = useOpenVisit({ kind, code });
  const begin = useEffectEvent(async (page: { isGone: boolean }) => {
    // In development React mounts twice; only the second mount shows the question.
    await Promise.resolve();
    const other = visit.get();
    if (page.isGone || isVisitTo(other, { kind, code })) return;
    const room = other?.room.state.get()?.room;
    const isConfirmed =
      room === undefined ||
      (await modals.confirm((await fetchLeaving()).changeRooms(room.name, room.host === selfUid)));
    if (page.isGone) return;
    if (isConfirmed || other === null) {
      expectFirstSound();
      visit.begin(open);
    } else navigate(factsOf(other.kind).roomPath(other.code), { replace: true });
  });
  useEffect(() => {
    const page = { isGone: false };
    void begin(page);
    return () => {
      page.isGone = true;
      endFirstSound();
    };
  }, []);
  return isVisitTo(now, { kind, code }) ? null : <Entering kind={kind} />;
}

/** Enters the room that this tab visited before a reload. */
export function ReturnToRoom(address: RoomAddress) {
  const { visit } = useApp();
  const open = useOpenVisit(address);
  const enter = useEffectEvent(() => {
    if (visit.get() === null) visit.begin(open);
  });
  useEffect(() => enter(), []);
  return null;
}

function useOpenVisit({ kind, code }: RoomAddress): () => Visit {
  const { connection } = useApp();
  const { uid: selfUid } = useUser();
  return () => openVisit({ connection, kind, code, selfUid }, thisPage);
}

/** The visited room. It stays mounted behind other screens, because a player that moves in the document restarts. */
export function VisitedRoom({ visit, isShown }: { visit: Visit; isShown: boolean }) {
  const self = useUser();
  const { kind } = visit;
  const config = useReadable(useApp().session.config);
  const state = useReadable(visit.room.state);
  // The track is asked for when these are there, so the browser asks before it draws the room, and while it does.
  const parts = useDeferredValue(useReadable(visit.parts));
  useExitMessage(visit, isShown);
  useEffect(() => {
    const use = (): void => parts?.playback.use();
    window.addEventListener('focus', use);
    return () => window.removeEventListener('focus', use);
  }, [parts]);
  // Fetched early, so that the bar appears at once when the user opens another screen.
  useEffect(() => prefetch(() => afterFirstSound().then(fetchBar)), []);
  if (state === null || parts === null) return isShown && <Entering kind={kind} />;
  return <Inside {...{ kind, visit, state, parts, self, config, isShown }} />;
}

/** The room, and on other screens its bar. Hosting dialogs open on every screen, other dialogs only on the room's. */
function Inside(props: RoomView & { isShown: boolean }) {
  const { visit, isShown } = props;
  const isLive = useReadable(visit.room.status).status === 'live';
  const hosting = useHosting(props);
  return (
    <>
      <div className={isShown ? styles.shown : styles.away} data-away={isShown ? undefined : ''}>
        <ScreenShownContext value={isShown}>
          <LiveRoom {...props} hosting={hosting} />
        </ScreenShownContext>
      </div>
      {!isShown && isLive && <Bar {...props} onLeave={hosting.leave} />}
      <OwnText>{hosting.dialogs}</OwnText>
    </>
  );
}

const fetchBar = () => import('./VisitBar.tsx');

function Bar(props: RoomView & { onLeave: () => void }) {
  const code = useFetched(fetchBar);
  return code && <code.VisitBar {...props} />;
}

function Entering({ kind }: { kind: RoomKind }) {
  const { ink, bandTitle } = factsOf(kind);
  return (
    <AppLayout band={ink} title={bandTitle}>
      <LoadingScreen label={t`Loading...`} />
    </AppLayout>
  );
}

/** Shows why this visit is over, and then leaves the room's screen. */
function useExitMessage(own: Visit, isShown: boolean): void {
  const { visit } = useApp();
  const { kind, code, room } = own;
  const status = useReadable(room.status);
  const modals = useModals();
  const end = useEffectEvent((to: string) => {
    if (visit.get() === own) visit.end();
    if (isShown) navigate(to, { replace: true });
  });
  const exit = useEffectEvent(async (now: RoomStatus) => {
    // No message for a background visit that could not be restored after a reload.
    const isUnnoticed = !isShown && room.state.get() === null;
    const isQuiet = isUnnoticed || now.status === 'left';
    const to = isQuiet ? '/' : await (await fetchLeaving()).showExitMessage(now, kind, code, modals);
    if (to !== null) end(to);
  });
  useEffect(() => {
    if (status.status !== 'live' && status.status !== 'entering') void exit(status);
  }, [status]);
}
