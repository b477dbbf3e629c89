/** The entered room: puts head, player, controls, requests, search, queue, people and chat into the room's layout. */
import type { RoomDocument } from '@tunemate/protocol';
import { type ComponentProps, useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { ViewMode } from '../../playback/deck/PlayerControls.tsx';
import { useIsFullScreen, useWakeLock } from '../../playback/deck/screen-modes.ts';
import { isShownPlaying } from '../../playback/playback-view.ts';
import { usePageTitle, useWaitingInTitle } from '../../shell/use-page-title.ts';
import { laterPart, lazyPart } from '../../store/lazy-part.ts';
import { useEvents, useReadable } from '../../store/use-readable.ts';
import { useToast } from '../../ui/feedback/toasts.ts';
import { inkedPeople, inksOf } from '../../ui/inks.ts';
import { useWideScreen } from '../../ui/layout/use-wide-screen.ts';
import { InksContext } from '../../ui/records/Avatar.tsx';
import { useModeration, type Hosting } from '../hosting/hosting.tsx';
import { panelsOfPerson } from '../panels.tsx';
import { factsOf } from '../room-kinds.ts';
import type { Finding } from '../in-panel.ts';
import { useSidebar, type Sidebar } from '../sidebar/sidebar.ts';
import styles from './LiveRoom.module.css';
import { RoomHead, RoomLayout, useInvite } from './RoomLayout.tsx';
import { StageDeck, StagePlayerView } from './Stage.tsx';
import { useBeginning } from './use-beginning.tsx';
import { useTracks } from './use-tracks.ts';
import type { LiveParts, RoomView } from './visit.ts';
import { OwnText } from '../../ui/OwnText.tsx';
import { t } from '../../language/t.ts';

const NoticeLine = lazyPart(async () => (await import('./NoticeLine.tsx')).NoticeLine);
const Cinema = lazyPart(async () => (await import('./Cinema.tsx')).Cinema);
const SidebarTabs = lazyPart(async () => (await import('../sidebar/SidebarTabs.tsx')).SidebarTabs);
const MessageToasts = laterPart(async () => (await import('../../people/MessageToast.tsx')).MessageToasts);
const RequestBanner = lazyPart(async () => (await import('../requests/JoinRequests.tsx')).RequestBanner);

/** `isShown` is false while another screen covers the room. */
export function LiveRoom(props: RoomView & { isShown: boolean; hosting: Hosting }) {
  const { kind, visit, state, parts, self, hosting } = props;
  const { room } = state;
  const { panels: places } = factsOf(kind);
  const isHost = room.host === self.uid;
  const waiting = useWaiting(visit, isHost);
  const [viewMode, setViewMode] = useState<ViewMode>('video');
  const [areLyricsOpen, setLyricsOpen] = useState(false);
  const finding = useFinding(props);
  const { hasResults, isSearching, library } = finding;
  const { control } = useReadable(parts.playback.view);
  const isFull = useIsFullScreen(useReadable(parts.stage.picture).isMoving && viewMode === 'video');
  const canSearch = control !== 'free' && control !== 'elsewhere';
  const use = useTracks(props);
  const sidebar = useSidebar({ canSearch, hasResults, isSearching, waiting, isFull });
  const { panels, isChatOpen } = sidebar;
  const invite = useInvite(props);
  const moderation = useModeration(props, (uid) => hosting.handOverTo(uid));
  usePageEffects(props, waiting, viewMode);

  const { board, isFirst } = useBeginning({ ...props, isFull, finding }, use, sidebar);
  const stage = {
    ...props,
    viewMode,
    onView: setViewMode,
    beside: useBeside(library, areLyricsOpen, hasResults || isChatOpen),
    lyrics: { isOpen: areLyricsOpen, onToggle: () => setLyricsOpen(!areLyricsOpen) },
    ...togglesOf(sidebar),
    ...{ board, isFirst, isFull },
  };
  const own = panelsOfPerson({ everyone: true, host: isHost, choosers: canSearch }, isFull);
  const inPanel = { sidebar, moderation, use, onInvite: invite.open, isFull, hasBoard: board !== null, finding };
  return (
    <InksContext value={useInks(room)}>
      <RoomLayout
        panels={own}
        inPanel={{ ...props, ...inPanel }}
        playerForm={board === null ? places.stage : 'board'}
        header={<RoomHead {...props} onInvite={invite.open} onLeave={hosting.leave} />}
        player={<StagePlayerView {...stage} />}
        notice={board === null && <Notice {...props} isFirst={isFirst} />}
        deck={<StageDeck {...stage} />}
        tabs={panels.isWideView && <Tabs {...props} panels={own} sidebar={sidebar} />}
        over={isFull && <OverPicture {...props} sidebar={sidebar} waiting={waiting} />}
      />
      <Notices {...props} isFull={isFull} hasBanner={isFull || panels.isWideView} />
      <OwnText>{invite.sheet}</OwnText>
      <OwnText>{moderation.dialog}</OwnText>
    </InksContext>
  );
}

function useFinding({ kind, visit }: RoomView): Finding {
  const { status } = useReadable(visit.search.status);
  const library = useReadable(visit.library.model) === null ? null : factsOf(kind).panels.library;
  return {
    hasResults: status !== 'closed' || library === 'sidebar',
    isSearching: status === 'searching',
    library,
  };
}

/** How many ask to come in; only the host hears of it. */
function useWaiting({ requests }: RoomView['visit'], isHost: boolean): number {
  const { pending } = useReadable(requests.state);
  return isHost ? pending.length : 0;
}

/** What stands beside an audio room's player; on phones what fills the sidebar does: an open chat, or results. */
function useBeside(library: Finding['library'], areLyricsOpen: boolean, isSidebarFull: boolean) {
  const isWide = useWideScreen();
  if (isSidebarFull && !isWide) return 'chat' as const;
  if (library === 'stage') return 'library' as const;
  return areLyricsOpen ? ('words' as const) : null;
}

/** The people of a large room are more than the inks, and come and go too often. */
function useInks({ participants }: RoomDocument): ComponentProps<typeof InksContext>['value'] {
  const ids = participants.slice(0, inkedPeople).map(({ uid }) => uid);
  const all = ids.join(' ');
  return useMemo(() => inksOf(all.split(' ')), [all]);
}

const Notice = (props: ComponentProps<typeof NoticeLine>) => (
  <NoticeLine fallback={<div className={styles.line} />} {...props} />
);

function usePageEffects(
  { state, parts, isShown }: RoomView & { isShown: boolean },
  waiting: number,
  viewMode: ViewMode,
): void {
  useFilmKeepsAwake(parts, isShown && viewMode === 'video');
  useWaitingInTitle(waiting);
  usePageWake(() => parts.playback.wake());
  usePageTitle(isShown ? state.room.name : null);
}

/** What buttons on the stage open and close in the sidebar. */
function togglesOf(sidebar: Sidebar) {
  const { panels, isChatOpen } = sidebar;
  const areRequestsOpen = panels.requests === 'full';
  return {
    chat: { isOpen: isChatOpen, onToggle: sidebar.toggleChat },
    requests: {
      isOpen: areRequestsOpen,
      onToggle: () => (areRequestsOpen ? sidebar.lower() : sidebar.open('requests')),
    },
    wideView: { isOn: panels.isWideView, onToggle: () => sidebar.setWideView(!panels.isWideView) },
  };
}

function OverPicture({ parts, state, self, sidebar, waiting }: RoomView & { sidebar: Sidebar; waiting: number }) {
  return (
    <Cinema
      chat={parts.chat}
      people={state.room.participants}
      self={self}
      waiting={waiting}
      onWaiting={() => sidebar.open('requests')}
    />
  );
}

const Tabs = (props: ComponentProps<typeof SidebarTabs> & { sidebar: Sidebar }) => (
  <SidebarTabs {...props} onMissing={() => props.sidebar.setWideView(false)} />
);

/**
 * Over the room: for the host new requests where the desk is out of sight, and people who came in without approval; and
 * messages of friends.
 */
function Notices({
  kind,
  visit,
  state,
  self,
  isShown,
  isFull,
  hasBanner,
}: RoomView & { isShown: boolean; isFull: boolean; hasBanner: boolean }) {
  const { requests } = visit;
  const toast = useToast();
  useEvents(requests.cameIn, ({ name }) => toast(t`${name} came in`));
  return (
    <>
      {state.room.host === self.uid && hasBanner && <RequestBanner kind={kind} model={requests} />}
      {isShown && <MessageToasts isCovered={isFull} />}
    </>
  );
}

function useFilmKeepsAwake({ playback, stage }: LiveParts, isInSight: boolean): void {
  const { isMoving } = useReadable(stage.picture);
  const isPlaying = isShownPlaying(useReadable(playback.view));
  useWakeLock(isInSight && isMoving && isPlaying);
}

/** Calls back when the device may have slept or changed networks: the page became visible, online, or was restored. */
function usePageWake(onWake: () => void): void {
  const wake = useEffectEvent(onWake);
  useEffect(() => {
    const stopping = new AbortController();
    const { signal } = stopping;
    const listener = (): void => {
      if (document.visibilityState === 'visible') wake();
    };
    document.addEventListener('visibilitychange', listener, { signal });
    window.addEventListener('online', listener, { signal });
    window.addEventListener('pageshow', listener, { signal });
    return () => stopping.abort();
  }, []);
}
