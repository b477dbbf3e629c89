/**
 * A room one is in: puts header, player, deck, requests, search, queue, people and chat into the layout's places.
 * What a kind consists of is read from its table.
 */
import { limits, type NamedTrack } from '@tunemate/protocol';
import { useEffect, useState, type ReactNode } from 'react';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { Button } from '../../ui/buttons/Button.tsx';
import { LibraryIcon, SearchIcon } from '../../ui/icons/icons.tsx';
import { SearchBox, SearchResults } from '../../catalogue/SearchPanel.tsx';
import { SuggestedList } from '../../catalogue/SuggestedList.tsx';
import { LibraryPlace } from '../../library/LibraryPlace.tsx';
import { QueueList } from '../../playback/QueueList.tsx';
import { ParticipantsPanel } from '../../rooms/ParticipantsPanel.tsx';
import { DoorShelf } from '../../rooms/DoorShelf.tsx';
import { PeopleLine } from '../../rooms/PeopleLine.tsx';
import { othersWaiting } from '../../rooms/join-banner.ts';
import { RequestAnswers } from '../../rooms/RequestAnswers.tsx';
import { requestSound } from '../../rooms/request-sound.ts';
import { useDoor, type Door } from '../../rooms/use-door.ts';
import { RoomChat } from '../../rooms/RoomChat.tsx';
import { personWords } from '../../rooms/hosting/person-words.ts';
import { factsOf } from '../../rooms/room-kinds.ts';
import { roomSentences } from '../../rooms/room-copy.ts';
import { hostName } from '../../rooms/room-state.ts';
import { usePageTitle, useWaitingInTitle } from '../../shell/use-page-title.ts';
import { useReadable } from '../../store/use-readable.ts';
import { RoomHead } from '../../ui/layout/RoomHead.tsx';
import { RoomLayout } from '../../ui/layout/RoomLayout.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { InviteTunemates } from '../../tunemates/InviteTunemates.tsx';
import type { LiveParts } from './live-parts.ts';
import { DoorKeys } from './DoorKeys.tsx';
import { Spine } from './Spine.tsx';
import { StageDeck, StagePlayerView, type RoomView } from './Stage.tsx';
import { isShownPlaying } from '../../playback/playback-view.ts';
import { useWakeLock } from '../../playback/use-wake-lock.ts';
import { useAnswer } from '../../rooms/use-answer.ts';
import { useHosting } from './use-hosting.tsx';
import { type RoomOrder, useOrder } from './use-order.tsx';
import { useUnseen } from '../../rooms/use-unseen.ts';
import { usePageWake } from '../../shell/use-page-wake.ts';
import type { ViewMode } from '../../playback/VideoDeck.tsx';
import styles from './LiveRoom.module.css';
import { useRail, type Rail } from './use-rail.ts';

/** `isShown` is false while another screen stands before the room. */
export function LiveRoom(props: RoomView & { isShown: boolean }) {
  const { kind, session, state, parts, self, isShown } = props;
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
  const canChoose = control === 'mine';
  const rail = useRail({
    searchPlace: canChoose ? facts.panels.search : null,
    hasResults,
    isSearching: search.status === 'searching',
    waiting: isHost ? requests.length : 0,
  });
  const { shelves, isChatOpen } = rail;
  const hosting = useHosting(props);
  const order = useOrder(props, (uid) => hosting.handOverTo(uid));
  const door = useDoor(session, facts.ink);
  useWaitingInTitle(isHost ? requests.length : 0);
  const { named } = useUnseen(parts.chat, room.participants, self.uid, isChatOpen && !shelves.isSpine);
  usePageWake(() => playback.wake());
  usePageTitle(isShown ? room.name : null);

  const stage = {
    ...props,
    viewMode,
    onView: setViewMode,
    isCompact: isChatOpen || isLibraryOpen,
    wideView: { isOn: shelves.isSpine, onToggle: () => rail.setSpine(!shelves.isSpine) },
  };
  // There it takes the place of what comes next, below the player.
  const libraryOnStage = isLibraryOpen && facts.panels.search === 'stage';
  const showsSearch = canChoose && (facts.panels.search === 'stage' ? !isChatOpen : shelves.find !== 'key');
  const showsResults = showsSearch && hasResults && (facts.panels.search === 'stage' || shelves.find === 'results');
  return (
    <>
      <RoomLayout
        code={room.code}
        codeLabel="Room code"
        railLabel="Room"
        railRef={rail.element}
        searchPlace={facts.panels.search}
        playerIsPicture={facts.panels.stage === 'frame'}
        header={<Head {...props} more={<DoorKeys {...props} door={door} />} onLeave={hosting.leave} />}
        player={<StagePlayerView {...stage} />}
        deck={<StageDeck {...stage} />}
        isDoorFolded={shelves.door === 'folded'}
        door={shelves.door !== 'gone' && <DoorInRail {...props} rail={rail} door={door} />}
        search={showsSearch && !isLibraryOpen && <Find {...props} rail={rail} />}
        results={showsResults && !libraryOnStage && <Results kind={kind} session={session} playback={playback} />}
        queue={
          libraryOnStage ? (
            <Results kind={kind} session={session} playback={playback} />
          ) : (
            (isHost || facts.panels.upNext === 'suggestions') && (
              <UpNext kind={kind} parts={parts} canChoose={canChoose} />
            )
          )
        }
        arePeopleFolded={shelves.people === 'folded'}
        people={<People {...props} rail={rail} order={order} />}
        chatPlace={shelves.isChatColumn ? 'column' : isChatOpen ? 'rail' : 'folded'}
        chat={<Chat {...props} rail={rail} named={named} />}
        spine={shelves.isSpine && <Spine {...props} rail={rail} canSearch={shelves.find !== 'gone'} />}
      />
      <RequestBanner {...props} />
      {hosting.dialogs}
      {order.dialog}
    </>
  );
}

/** The screen stays on while a film plays in sight. */
function useFilmKeepsAwake({ playback, stage }: LiveParts, isInSight: boolean): void {
  const { isMoving } = useReadable(stage.picture);
  const isPlaying = isShownPlaying(useReadable(playback.view));
  useWakeLock(isInSight && isMoving && isPlaying);
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

/** Who asks to join, and the answers. */
function DoorInRail({ kind, session, state: { requests }, rail, door }: InRail & { door: Door }) {
  const answer = useAnswer(session, factsOf(kind).ink);
  const { shelves } = rail;
  return (
    <DoorShelf
      requests={requests}
      isFolded={shelves.door === 'folded'}
      rows={shelves.doorRows}
      onAnswer={answer}
      action={
        requests.length > 1 && (
          <Button
            variant="ghost"
            small
            busy={door.isAcceptingAll}
            onClick={() => void door.acceptAll(requests.map(({ uid }) => uid))}
          >
            Accept all
          </Button>
        )
      }
      onShowAll={() => rail.open('door')}
      onShowFewer={rail.isRaised && shelves.door === 'full' ? () => rail.lower() : undefined}
    />
  );
}

/** The search field; with a key for results that another shelf covers. */
function Find({ kind, session, config, rail }: InRail) {
  return (
    <>
      <div className={styles.find}>
        <SearchBox
          model={session.search}
          label={factsOf(kind).searchLabel}
          hasYouTube={config?.youtubeSearch ?? false}
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

/** Everybody in the room and who could be; folded, one line beside the key of the folded search. */
function People({ state: { room }, self, rail, order }: InRail & { order: RoomOrder }) {
  if (rail.shelves.people === 'full') {
    return (
      <>
        <ParticipantsPanel room={room} selfUid={self.uid} action={order.lock} onPerson={order.onPerson} />
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

function Chat({ parts, self, state, rail, named }: InRail & { named: number }) {
  return (
    <RoomChat
      model={parts.chat}
      self={self}
      room={state.room}
      isOpen={rail.isChatOpen}
      named={named}
      onToggle={rail.toggleChat}
    />
  );
}

function Results({ kind, session, playback }: Pick<RoomView, 'kind' | 'session'> & Pick<LiveParts, 'playback'>) {
  const { formatTime, panels } = factsOf(kind);
  const shared = {
    formatTime,
    onChoose: (track: NamedTrack) => playback.host.choose(track),
    onEnqueue: panels.upNext === 'queue' ? (track: NamedTrack) => playback.host.enqueue(track) : undefined,
  };
  return (
    <>
      <SearchResults model={session.search} {...shared} />
      <LibraryPlace library={session.library} {...shared} />
    </>
  );
}

/** The host's queue, or what the catalogue suggests. */
function UpNext({ kind, parts, canChoose }: Pick<RoomView, 'kind' | 'parts'> & { canChoose: boolean }) {
  const { formatTime, panels } = factsOf(kind);
  const { playback, suggestions } = parts;
  if (panels.upNext === 'queue') return <QueueList model={playback} formatTime={formatTime} />;
  return (
    <SuggestedList model={suggestions} onChoose={canChoose ? (track) => playback.host.choose(track) : undefined} />
  );
}

/** Announces new requests, with the answers to the newest. */
function RequestBanner({ kind, session, state }: Pick<RoomView, 'kind' | 'session' | 'state'>) {
  const banner = useReadable(session.banner.banner);
  const answer = useAnswer(session, factsOf(kind).ink);
  const key = banner?.key;
  useEffect(() => {
    if (key !== undefined) requestSound.tick();
  }, [key]);
  const first = banner?.people[0];
  const content =
    banner === null || first === undefined
      ? null
      : {
          key: String(banner.key),
          caption: roomSentences.newRequest,
          person: { id: first.uid, name: first.name },
          detail: othersWaiting(state.requests.length),
          actions: <RequestAnswers request={first} onAnswer={answer} />,
        };
  return <Banner content={content} lastsMs={limits.joinRequestBannerMs} onEnd={() => session.banner.dismiss()} />;
}
