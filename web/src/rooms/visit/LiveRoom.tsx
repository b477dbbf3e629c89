/** The entered room: puts head, player, controls, requests, search, queue, people and chat into the room's layout. */
import type { RoomDocument } from '@tunemate/protocol';
import { type ComponentProps, useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { TrackUse } from '../../catalogue/ProposeButton.tsx';
import { SearchBox } from '../../catalogue/SearchBox.tsx';
import { LibraryPlace } from '../../library/LibraryPlace.tsx';
import { HeldHere } from '../../playback/deck/PlayerFrame.tsx';
import type { ViewMode } from '../../playback/deck/PlayerControls.tsx';
import { useIsFullScreen, useWakeLock } from '../../playback/deck/screen-modes.ts';
import { isShownPlaying } from '../../playback/playback-view.ts';
import { usePageTitle, useWaitingInTitle } from '../../shell/use-page-title.ts';
import { laterPart, lazyPart } from '../../store/lazy-part.ts';
import { useFetched } from '../../store/use-fetched.ts';
import { useEvents, useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { useToast } from '../../ui/feedback/toasts.ts';
import { LibraryIcon } from '../../ui/icons/film-icons.tsx';
import { SearchIcon } from '../../ui/icons/icons.tsx';
import { inkedPeople, inksOf } from '../../ui/inks.ts';
import { useWideScreen } from '../../ui/layout/use-wide-screen.ts';
import { InksContext } from '../../ui/records/Avatar.tsx';
import { RoomChat, useUnseen } from '../chat/RoomChat.tsx';
import { useModeration, type Hosting, type Moderation } from '../hosting/hosting.tsx';
import { factsOf } from '../room-kinds.ts';
import { ParticipantsPanel, PeopleLine } from '../sidebar/ParticipantsPanel.tsx';
import { useSidebar, type Sidebar } from '../sidebar/sidebar.ts';
import styles from './LiveRoom.module.css';
import { InviteKey, RoomHead, RoomLayout, useInvite } from './RoomLayout.tsx';
import { isEveryoneNamed } from './room-model.ts';
import { StageDeck, StagePlayerView } from './Stage.tsx';
import { useBeginning } from './use-beginning.tsx';
import { useTracks } from './use-tracks.ts';
import type { LiveParts, RoomView } from './visit.ts';
import { OwnText } from '../../ui/OwnText.tsx';
import { t } from '../../language/t.ts';

const BelowQueue = laterPart(async () => (await import('./BelowQueue.tsx')).BelowQueue);
const NoticeLine = lazyPart(async () => (await import('./NoticeLine.tsx')).NoticeLine);
const QueuePart = lazyPart(async () => (await import('./UpNext.tsx')).Queue);
const ProposalsPlace = lazyPart(async () => (await import('./UpNext.tsx')).ProposalsPlace);
const InvitePlace = laterPart(async () => (await import('../join/Invite.tsx')).InvitePlace);
const SearchResults = lazyPart(async () => (await import('../../catalogue/SearchResults.tsx')).SearchResults);
const Cinema = lazyPart(async () => (await import('./Cinema.tsx')).Cinema);
const SidebarTabs = lazyPart(async () => (await import('../sidebar/SidebarTabs.tsx')).SidebarTabs);
const MorePeople = lazyPart(async () => (await import('../sidebar/MorePeople.tsx')).MorePeople);
const MessageToasts = laterPart(async () => (await import('../../people/MessageToast.tsx')).MessageToasts);
const HostDesk = lazyPart(async () => (await import('../requests/HostDesk.tsx')).HostDesk);
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
  const search = useReadable(visit.search.status);
  const isLibraryOpen = useReadable(visit.library.model) !== null;
  const hasResults = search.status !== 'closed' || isLibraryOpen;
  const { control } = useReadable(parts.playback.view);
  const isFull = useIsFullScreen(useReadable(parts.stage.picture).isMoving && viewMode === 'video');
  const canSearch = control !== 'free' && control !== 'elsewhere';
  const use = useTracks(props);
  const sidebar = useSidebar({
    searchPlace: canSearch ? places.search : null,
    hasResults,
    isSearching: search.status === 'searching',
    waiting,
    isFull,
  });
  const { panels, isChatOpen } = sidebar;
  const invite = useInvite(props);
  const moderation = useModeration(props, (uid) => hosting.handOverTo(uid));
  usePageEffects(props, waiting, viewMode);

  const { board, isFirst } = useBeginning({ ...props, isFull, hasResults }, use, sidebar);
  const stage = {
    ...props,
    viewMode,
    onView: setViewMode,
    beside: useBeside({ isLibraryOpen, areLyricsOpen, isChatOpen }),
    lyrics: { isOpen: areLyricsOpen, onToggle: () => setLyricsOpen(!areLyricsOpen) },
    ...togglesOf(sidebar),
    queueList: <Queue {...props} />,
    ...{ board, isFirst, isFull },
  };
  // On the stage the library replaces queue, proposals and suggestions.
  const libraryOnStage = isLibraryOpen && places.search === 'stage';
  const showsSearch = canSearch && (places.search === 'stage' ? !isChatOpen : panels.search !== 'key');
  const showsResults = showsSearch && hasResults && (places.search === 'stage' || panels.search === 'results');
  const results = <Results kind={kind} visit={visit} use={use} />;
  const queue = libraryOnStage ? results : board === null && <Queue {...props} />;
  const proposals = !libraryOnStage && <ProposalsPlace {...props} />;
  return (
    <InksContext value={useInks(room)}>
      <RoomLayout
        code={room.code}
        sidebarRef={sidebar.element}
        searchPlace={places.search}
        isFull={isFull}
        isBeside={libraryOnStage}
        playerForm={board === null ? places.stage : 'board'}
        header={<RoomHead {...props} onInvite={invite.open} onLeave={hosting.leave} />}
        player={<StagePlayerView {...stage} />}
        notice={board === null && <Notice {...props} isFirst={isFirst} />}
        deck={<StageDeck {...stage} />}
        areRequestsFolded={!isFull || panels.requests === 'folded'}
        requests={(isFull || isHost) && <RequestsPlace {...props} sidebar={sidebar} isFull={isFull} />}
        search={showsSearch && !isLibraryOpen && <Search {...props} sidebar={sidebar} />}
        results={showsResults && !libraryOnStage && results}
        queue={control === 'guest' ? proposals : queue}
        proposals={control === 'guest' ? queue : !isHost && proposals}
        suggested={!libraryOnStage && <BelowQueue {...props} use={use} />}
        arePeopleFolded={panels.people === 'folded'}
        people={<People {...props} sidebar={sidebar} moderation={moderation} onInvite={invite.open} />}
        isAlone={room.people === 1}
        invite={panels.people === 'full' && !panels.isWideView && <InvitePlace room={room} onInvite={invite.open} />}
        chatPlace={panels.isChatColumn ? 'column' : isChatOpen ? 'sidebar' : 'folded'}
        chat={<Chat {...props} sidebar={sidebar} moderation={moderation} />}
        tabs={panels.isWideView && <Tabs {...props} sidebar={sidebar} />}
        over={isFull && <OverPicture {...props} sidebar={sidebar} waiting={waiting} />}
      />
      <Notices {...props} isFull={isFull} hasBanner={isFull || panels.isWideView} />
      <OwnText>{invite.sheet}</OwnText>
      <OwnText>{moderation.dialog}</OwnText>
    </InksContext>
  );
}

/** How many ask to come in; only the host hears of it. */
function useWaiting({ requests }: RoomView['visit'], isHost: boolean): number {
  const { pending } = useReadable(requests.state);
  return isHost ? pending.length : 0;
}

/** What stands beside an audio room's player; on phones an open chat does. */
function useBeside(open: Readonly<Record<'isLibraryOpen' | 'areLyricsOpen' | 'isChatOpen', boolean>>) {
  const isWide = useWideScreen();
  if (open.isChatOpen && !isWide) return 'chat' as const;
  if (open.isLibraryOpen) return 'library' as const;
  return open.areLyricsOpen ? ('words' as const) : null;
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

/** A video room always has it. */
function Queue(props: RoomView) {
  const isAlwaysThere = factsOf(props.kind).panels.upNext === 'queue';
  return <QueuePart fallback={isAlwaysThere && <div className={styles.queue} />} {...props} />;
}

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

const fetchRequests = () => import('../requests/JoinRequests.tsx');

/** The host's desk; in full screen the requests to join, and without any the notice that this device is paused. */
function RequestsPlace({ isFull, ...props }: InSidebar & { isFull: boolean }) {
  const { kind, visit, parts, sidebar } = props;
  const code = useFetched(fetchRequests);
  if (!isFull) {
    return <HostDesk fallback={<div className={styles.desk} />} {...props} />;
  }
  if (sidebar.panels.requests === 'gone') return <HeldHere model={parts.playback} />;
  return code && <code.RequestsPanel kind={kind} model={visit.requests} sidebar={sidebar} />;
}

function OverPicture({ parts, state, self, sidebar, waiting }: InSidebar & { waiting: number }) {
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

const Tabs = (props: InSidebar) => <SidebarTabs {...props} onMissing={() => props.sidebar.setWideView(false)} />;

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

type InSidebar = RoomView & { sidebar: Sidebar };

function Search({ kind, visit, state, parts, config, sidebar }: InSidebar) {
  const { control } = useReadable(parts.playback.view);
  const { everyoneAdds } = state.room;
  return (
    <>
      <div className={styles.search}>
        <SearchBox
          model={visit.search}
          label={factsOf(kind).searchLabel}
          placeholder={searchHint(control === 'guest', everyoneAdds, config?.youtubeSearch ?? false)}
          inputRef={sidebar.searchField}
        />
        <IconButton
          label={t`Library`}
          icon={<LibraryIcon />}
          framed
          onClick={() => {
            visit.search.cancel();
            visit.library.open();
          }}
        />
      </div>
      {sidebar.panels.search === 'covered' && (
        <Button variant="ghost" small onClick={() => sidebar.open('search')}>
          {t`Show the results`}
        </Button>
      )}
    </>
  );
}

function searchHint(isGuest: boolean, everyoneAdds: boolean, hasYouTube: boolean): string {
  if (isGuest) return everyoneAdds ? t`Add a track` : t`Propose a track`;
  return hasYouTube ? t`Search YouTube` : t`Search or link`;
}

/** The participants; folded, one line beside the button of the folded search. */
function People({
  sidebar,
  moderation,
  onInvite,
  ...view
}: InSidebar & { moderation: Moderation; onInvite: () => void }) {
  const { visit, self } = view;
  const { room } = view.state;
  const isWide = useWideScreen();
  if (sidebar.panels.people === 'full') {
    return (
      <ParticipantsPanel
        room={room}
        selfUid={self.uid}
        action={isWide && <InviteKey onInvite={onInvite} />}
        more={!isEveryoneNamed(room) && <MorePeople roster={visit.roster} room={room} selfUid={self.uid} />}
        onPerson={moderation.onPerson}
      />
    );
  }
  return (
    <>
      <PeopleLine room={room} onPress={() => sidebar.open('people')} />
      {sidebar.panels.search === 'key' && (
        <IconButton label={t`Search`} icon={<SearchIcon />} framed onClick={() => sidebar.open('search')} />
      )}
    </>
  );
}

function Chat({ parts, self, state, sidebar, moderation }: InSidebar & { moderation: Moderation }) {
  // Here, so that a message renders only the chat again and not the whole room.
  const isSeen = sidebar.isChatOpen && !sidebar.panels.isWideView;
  const unseen = useUnseen(parts.chat, state.room.participants, self.uid, isSeen);
  return (
    <RoomChat
      model={parts.chat}
      self={self}
      room={state.room}
      isOpen={sidebar.isChatOpen}
      unseen={unseen}
      onToggle={sidebar.toggleChat}
      onPerson={moderation.onPerson}
    />
  );
}

function Results({ kind, visit, use }: Pick<RoomView, 'kind' | 'visit'> & { use: TrackUse }) {
  const { formatTime } = factsOf(kind);
  return (
    <>
      <SearchResults model={visit.search} formatTime={formatTime} {...use} />
      <LibraryPlace
        library={visit.library}
        formatTime={formatTime}
        onLinks={(text) => {
          visit.library.close();
          void visit.search.search(text);
        }}
        {...use}
      />
    </>
  );
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
