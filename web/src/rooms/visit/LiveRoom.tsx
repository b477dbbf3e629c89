/**
 * A room one is in: puts header, player, deck, requests, search, queue, people and chat into the layout's places.
 * What a kind consists of is read from its table.
 */
import type { RoomDocument } from '@tunemate/protocol';
import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { Button } from '../../ui/buttons/Button.tsx';
import { LibraryIcon, SearchIcon } from '../../ui/icons/icons.tsx';
import { searchHint } from '../../catalogue/catalogue-words.ts';
import type { TrackUse } from '../../catalogue/ProposeButton.tsx';
import { SearchBox } from '../../catalogue/SearchBox.tsx';
import { LibraryPlace } from '../../library/LibraryPlace.tsx';
import { ParticipantsPanel } from '../sidebar/ParticipantsPanel.tsx';
import { PeopleLine } from '../sidebar/PeopleLine.tsx';
import { useDoor, type Door } from '../requests/use-join-requests.ts';
import { RoomChat } from '../chat/RoomChat.tsx';
import { personWords } from '../hosting/person-words.ts';
import { factsOf } from '../room-kinds.ts';
import { roomSentences } from '../room-copy.ts';
import { hostName, isEveryoneNamed } from './room-state.ts';
import { usePageTitle, useWaitingInTitle } from '../../shell/use-page-title.ts';
import { lazyPart } from '../../store/lazy-part.ts';
import { useReadable } from '../../store/use-readable.ts';
import { RoomHead } from '../../ui/layout/RoomHead.tsx';
import { RoomLayout } from '../../ui/layout/RoomLayout.tsx';
import { regainFocus } from '../../ui/lost-focus.ts';
import { useWideScreen } from '../../ui/layout/use-wide-screen.ts';
import { InviteTunemates } from '../../tunemates/InviteTunemates.tsx';
import type { LiveParts } from './live-parts.ts';
import { InviteAndSettings } from '../sidebar/InviteAndSettings.tsx';
import { DoorPlace } from '../requests/RequestsPlace.tsx';
import { Notices } from './Notices.tsx';
import { UnreadBell, UnreadLinks } from './UnreadLinks.tsx';
import { Spine } from '../sidebar/RoomTabs.tsx';
import { ProposalsPlace, Queue, Suggested, useTracks } from './UpNext.tsx';
import { StageDeck, StagePlayerView, type RoomView } from './Stage.tsx';
import { isShownPlaying } from '../../playback/playback-view.ts';
import { HeldHere } from '../../playback/deck/PlayerNotices.tsx';
import { useIsFullScreen, useWakeLock } from '../../playback/deck/screen-modes.ts';
import type { Hosting } from '../hosting/use-hosting.tsx';
import { type Moderation, useModeration } from '../hosting/use-moderation.tsx';
import { useUnseen } from '../chat/use-unseen.ts';
import { usePageWake } from '../../shell/use-page-wake.ts';
import type { ViewMode } from '../../playback/deck/VideoControls.tsx';
import styles from './LiveRoom.module.css';
import { useRail, type Rail } from '../sidebar/use-sidebar.ts';

/** Fewer leave a void in the rail. */
const fewPeople = 5;

const InviteCard = lazyPart(async () => (await import('../join/InviteCard.tsx')).InviteCard);
const SearchResults = lazyPart(async () => (await import('../../catalogue/SearchResults.tsx')).SearchResults);

const MorePeople = lazyPart(async () => (await import('../sidebar/MorePeople.tsx')).MorePeople);

/** `isShown` is false while another screen stands before the room. */
export function LiveRoom(props: RoomView & { isShown: boolean; hosting: Hosting }) {
  const { kind, session, state, parts, self, isShown, hosting } = props;
  const { room, requests } = state;
  const { playback } = parts;
  const isHost = room.host === self.uid;
  const facts = factsOf(kind);
  const [viewMode, setViewMode] = useState<ViewMode>('video');
  const search = useReadable(session.search.status);
  const isLibraryOpen = useReadable(session.library.model) !== null;
  const hasResults = search.status !== 'closed' || isLibraryOpen;
  const { control } = useReadable(playback.view);
  useFilmKeepsAwake(parts, isShown && viewMode === 'video');
  const isFull = useIsFullScreen();
  const canSearch = control === 'mine' || control === 'guest';
  const use = useTracks(props);
  const rail = useRail({
    searchPlace: canSearch ? facts.panels.search : null,
    hasResults,
    isSearching: search.status === 'searching',
    waiting: isHost ? requests.length : 0,
    isFull,
  });
  const { shelves, isChatOpen } = rail;
  const moderation = useModeration(props, (uid) => hosting.handOverTo(uid));
  const door = useDoor(session, facts.ink);
  useThePage(props);

  const stage = {
    ...props,
    viewMode,
    onView: setViewMode,
    isCompact: isLibraryOpen ? ('strip' as const) : isChatOpen,
    ...keysOf(rail),
    queueList: <Queue {...props} />,
  };
  // There it takes the place of what comes next, below the player.
  const libraryOnStage = isLibraryOpen && facts.panels.search === 'stage';
  const showsSearch = canSearch && (facts.panels.search === 'stage' ? !isChatOpen : shelves.find !== 'key');
  const showsResults = showsSearch && hasResults && (facts.panels.search === 'stage' || shelves.find === 'results');
  const results = <Results kind={kind} session={session} use={use} />;
  const queue = libraryOnStage ? results : <Queue {...props} />;
  const proposals = !libraryOnStage && <ProposalsPlace {...props} />;
  const hasFew = !room.isLocked && room.people < fewPeople && shelves.door === 'gone';
  const invitesHere = useWideScreen() && hasFew && shelves.people === 'full';
  return (
    <>
      <RoomLayout
        code={room.code}
        codeLabel="Room code"
        railLabel="Room"
        railRef={rail.element}
        searchPlace={facts.panels.search}
        isFull={isFull}
        playerIsPicture={facts.panels.stage === 'frame'}
        news={<UnreadLinks />}
        header={<Head {...props} more={<HeadButtons {...props} door={door} />} onLeave={hosting.leave} />}
        player={<StagePlayerView {...stage} />}
        deck={<StageDeck {...stage} />}
        isDoorFolded={shelves.door === 'folded'}
        door={(shelves.door !== 'gone' || isFull) && <RequestsPlace {...props} rail={rail} door={door} />}
        search={showsSearch && !isLibraryOpen && <Find {...props} rail={rail} />}
        results={showsResults && !libraryOnStage && results}
        queue={isHost ? queue : proposals}
        proposals={isHost ? proposals : queue}
        suggested={!libraryOnStage && facts.panels.upNext === 'suggestions' && <Suggested {...props} use={use} />}
        arePeopleFolded={shelves.people === 'folded'}
        people={<People {...props} rail={rail} moderation={moderation} />}
        invite={invitesHere && !shelves.isSpine && <InvitePlace room={room} />}
        chatPlace={shelves.isChatColumn ? 'column' : isChatOpen ? 'rail' : 'folded'}
        chat={<Chat {...props} rail={rail} moderation={moderation} />}
        spine={shelves.isSpine && <Spine {...props} rail={rail} canSearch={shelves.find !== 'gone'} />}
      />
      <Notices {...props} />
      {moderation.dialog}
    </>
  );
}

/** The title of the page, its waking up, and its focus. */
function useThePage({ state: { room, requests }, parts, self, isShown }: RoomView & { isShown: boolean }): void {
  useWaitingInTitle(room.host === self.uid ? requests.length : 0);
  usePageWake(() => parts.playback.wake());
  usePageTitle(isShown ? room.name : null);
  useEffect(() => regainFocus(), []);
  // Of a request that is answered or has lapsed.
  useEffect(() => regainFocus(requests.length > 0 ? document.querySelector('[data-shelf="door"]') : null), [requests]);
}

/** What the stage opens and closes in the rail. */
function keysOf(rail: Rail) {
  const { shelves, isChatOpen } = rail;
  const isDoorOpen = shelves.door === 'full';
  return {
    chat: { isOpen: isChatOpen, onToggle: rail.toggleChat },
    door: { isOpen: isDoorOpen, onToggle: () => (isDoorOpen ? rail.lower() : rail.open('door')) },
    wideView: { isOn: shelves.isSpine, onToggle: () => rail.setSpine(!shelves.isSpine) },
  };
}

/** The requests; where nobody waits, in full screen, a device that is paused says so in their place. */
function RequestsPlace(props: InRail & { door: Door }) {
  if (props.rail.shelves.door === 'gone') return <HeldHere model={props.parts.playback} />;
  return <DoorPlace {...props} />;
}

/** The screen stays on while a film plays in sight. */
function useFilmKeepsAwake({ playback, stage }: LiveParts, isInSight: boolean): void {
  const { isMoving } = useReadable(stage.picture);
  const isPlaying = isShownPlaying(useReadable(playback.view));
  useWakeLock(isInSight && isMoving && isPlaying);
}

function InvitePlace({ room: { kind, code } }: { room: RoomDocument }) {
  return (
    <Suspense>
      <InviteCard kind={kind} code={code} />
    </Suspense>
  );
}

/** On phones the bell stands between these buttons and Leave. */
function HeadButtons(props: RoomView & { door: Door }) {
  return (
    <>
      <InviteAndSettings {...props} />
      <UnreadBell />
    </>
  );
}

function Head({ state: { room }, self, more, onLeave }: RoomView & { more: ReactNode; onLeave: () => void }) {
  return (
    <RoomHead
      title={room.name}
      more={more}
      label={room.host === self.uid ? roomSentences.youHost : hostName(room)}
      locked={room.isLocked ? personWords.locked : undefined}
      code={room.code}
      codeLabel="Room code"
      action="Leave"
      onAction={onLeave}
    />
  );
}

type InRail = RoomView & { rail: Rail };

/** The search field; with a button for results that another shelf covers. */
function Find({ kind, session, state, self, config, rail }: InRail) {
  const isHost = state.room.host === self.uid;
  return (
    <>
      <div className={styles.find}>
        <SearchBox
          model={session.search}
          label={factsOf(kind).searchLabel}
          placeholder={searchHint(isHost, state.room.everyoneAdds, config?.youtubeSearch ?? false)}
          inputRef={rail.searchField}
        />
        <IconButton
          label="Library"
          icon={<LibraryIcon />}
          framed
          onClick={() => {
            session.search.cancel();
            session.library.open();
          }}
        />
      </div>
      {rail.shelves.find === 'covered' && (
        <Button variant="ghost" small onClick={() => rail.open('find')}>
          Show the results
        </Button>
      )}
    </>
  );
}

function More({ roster }: Pick<RoomView['session'], 'roster'>) {
  return (
    <Suspense>
      <MorePeople roster={roster} />
    </Suspense>
  );
}

/** Everybody in the room and who could be; folded, one line beside the button of the folded search. */
function People({ session, state: { room }, self, rail, moderation }: InRail & { moderation: Moderation }) {
  if (rail.shelves.people === 'full') {
    return (
      <>
        <ParticipantsPanel
          room={room}
          selfUid={self.uid}
          action={moderation.lock}
          more={!isEveryoneNamed(room) && <More roster={session.roster} />}
          onPerson={moderation.onPerson}
        />
        <InviteTunemates room={room} />
      </>
    );
  }
  return (
    <>
      <PeopleLine room={room} onPress={() => rail.open('people')} />
      {rail.shelves.find === 'key' && (
        <IconButton label="Search" icon={<SearchIcon />} framed onClick={() => rail.open('find')} />
      )}
    </>
  );
}

function Chat({ parts, self, state, rail, moderation }: InRail & { moderation: Moderation }) {
  // Here, so that a message draws the chat anew and not the whole room.
  const isSeen = rail.isChatOpen && !rail.shelves.isSpine;
  const { named } = useUnseen(parts.chat, state.room.participants, self.uid, isSeen);
  return (
    <RoomChat
      model={parts.chat}
      self={self}
      room={state.room}
      isOpen={rail.isChatOpen}
      named={named}
      onToggle={rail.toggleChat}
      onPerson={moderation.onPerson}
    />
  );
}

function Results({ kind, session, use }: Pick<RoomView, 'kind' | 'session'> & { use: TrackUse }) {
  const { formatTime } = factsOf(kind);
  return (
    <>
      <Suspense>
        <SearchResults model={session.search} formatTime={formatTime} {...use} />
      </Suspense>
      <LibraryPlace library={session.library} formatTime={formatTime} {...use} />
    </>
  );
}
