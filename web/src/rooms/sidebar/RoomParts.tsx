/** What each panel of a room shows, from what the room knows. */
import { SearchBox } from '../../catalogue/SearchBox.tsx';
import { laterPart, lazyPart } from '../../store/lazy-part.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { classNames } from '../../ui/class-names.ts';
import { LoadingScreen } from '../../ui/feedback/LoadingScreen.tsx';
import { LibraryIcon } from '../../ui/icons/film-icons.tsx';
import { SearchIcon } from '../../ui/icons/icons.tsx';
import { PersonPlusIcon } from '../../ui/icons/inside-icons.tsx';
import { keyboardScroll } from '../../ui/keyboard-scroll.ts';
import { useWideScreen } from '../../ui/layout/use-wide-screen.ts';
import { RoomChat, useUnseen } from '../chat/RoomChat.tsx';
import type { InPanel } from '../in-panel.ts';
import { factsOf } from '../room-kinds.ts';
import { ParticipantsPanel, PeopleLine } from './ParticipantsPanel.tsx';
import { isFolded } from './sidebar.ts';
import crowd from '../visit/Crowd.module.css';
import fullScreen from '../visit/FullScreen.module.css';
import styles from '../visit/LiveRoom.module.css';
import { isEveryoneNamed } from '../visit/room-model.ts';
import layout from '../visit/RoomLayout.module.css';
import { t } from '../../language/t.ts';

const NextPart = lazyPart(async () => (await import('../visit/UpNext.tsx')).Next);
export const Suggested = lazyPart(async () => (await import('../visit/UpNext.tsx')).Suggested);
const InvitePlace = laterPart(async () => (await import('../join/Invite.tsx')).InvitePlace);
const ResultsPart = lazyPart(async () => (await import('./Results.tsx')).Results);
const MorePeople = lazyPart(async () => (await import('./MorePeople.tsx')).MorePeople);
const HeldHere = lazyPart(async () => (await import('../../playback/deck/LineNotices.tsx')).HeldHere);
const HostDesk = lazyPart(async () => (await import('../requests/HostDesk.tsx')).HostDesk);

/** The participants; folded, one line beside the button of the folded search. */
export function People({ sidebar: { open, panels }, moderation, onInvite, visit, self, state: { room } }: InPanel) {
  const isWide = useWideScreen();
  if (isFolded(panels, 'people')) {
    return (
      <div className={layout.peopleLine} data-panel="people">
        <PeopleLine room={room} onPress={() => open('people')} />
        {panels.search === 'key' && (
          <IconButton label={t`Search`} icon={<SearchIcon />} framed onClick={() => open('search')} />
        )}
      </div>
    );
  }
  return (
    <div className={crowd.people} data-panel="people" {...keyboardScroll}>
      <ParticipantsPanel
        room={room}
        selfUid={self.uid}
        action={
          isWide && (
            <Button variant="ghost" small icon={<PersonPlusIcon size={18} />} onClick={onInvite}>
              {t`Invite`}
            </Button>
          )
        }
        more={!isEveryoneNamed(room) && <MorePeople roster={visit.roster} room={room} selfUid={self.uid} />}
        onPerson={moderation.onPerson}
      />
    </div>
  );
}

/** A card while one person is here. */
export function Invite({ sidebar: { panels }, onInvite, state: { room } }: InPanel) {
  if (isFolded(panels, 'people')) return null;
  return (
    <div className={room.people === 1 ? crowd.invite : crowd.inviteLine} data-panel="invite">
      <InvitePlace room={room} onInvite={onInvite} />
    </div>
  );
}

/** The host's desk; in full screen the requests to join, and without any the notice that this device is paused. */
export function Requests(props: InPanel) {
  const { isFull } = props;
  const { requests } = props.sidebar.panels;
  const isPinned = !isFull || requests === 'folded';
  return (
    <div
      className={classNames(layout.requests, fullScreen.requests, isPinned && layout.pinned)}
      data-panel="requests"
      tabIndex={-1}
    >
      {isFull && requests === 'gone' ? (
        <HeldHere model={props.parts.playback} floats={false} />
      ) : (
        <HostDesk fallback={!isFull && <div className={styles.desk} />} {...props} />
      )}
    </div>
  );
}

/** Its results, or the library in their place, take the sidebar's height. */
export function Search(props: InPanel) {
  const { finding, sidebar } = props;
  const { search } = sidebar.panels;
  const hasResults = search === 'results';
  const isLibrary = finding.library === 'sidebar';
  if (search === 'key' || (isLibrary && !hasResults)) return null;
  return (
    <div className={layout.search} data-panel="search">
      {!isLibrary && <SearchField {...props} />}
      {hasResults && (
        <div className={layout.results}>
          <Results {...props} isLibrary={isLibrary} />
        </div>
      )}
    </div>
  );
}

function SearchField({ kind, visit, state, parts, config, finding, sidebar }: InPanel) {
  const { open, panels, searchField } = sidebar;
  const isOpen = finding.library !== null;
  const { control } = useReadable(parts.playback.view);
  return (
    <>
      <div className={styles.search}>
        <SearchBox
          model={visit.search}
          label={factsOf(kind).searchLabel}
          placeholder={searchHint(control === 'guest', state.room.everyoneAdds, config?.youtubeSearch ?? false)}
          inputRef={searchField}
        />
        <Button
          className={styles.library}
          aria-label={t`Library`}
          aria-expanded={isOpen}
          icon={<LibraryIcon />}
          onClick={() => {
            if (isOpen) return visit.library.close();
            visit.search.cancel();
            visit.library.open();
          }}
        >
          <span>{t`Library`}</span>
        </Button>
      </div>
      {panels.search === 'covered' && (
        <Button variant="ghost" small onClick={() => open('search')}>
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

/** Without its code the library closes again, so that the search is back. */
const Results = (props: Pick<InPanel, 'kind' | 'visit' | 'use'> & { isLibrary: boolean }) => (
  <ResultsPart fallback={<LoadingScreen fill={false} />} {...props} onMissing={() => props.visit.library.close()} />
);

/** Of a video room the queue always has a place. */
export function Next({ finding, ...props }: InPanel) {
  const hasQueue = factsOf(props.kind).panels.upNext === 'queue' && !props.hasBoard;
  return (
    <NextPart
      fallback={<div className={layout.next}>{hasQueue && <div className={styles.queue} />}</div>}
      {...props}
      library={finding.library === 'stage' && <Results {...props} isLibrary />}
    />
  );
}

/** Fixed at the bottom on phones; takes the sidebar's height, or a column of its own, when open. */
export function Chat({
  parts,
  self,
  state: { room },
  sidebar: { isChatOpen, panels, toggleChat },
  moderation,
}: InPanel) {
  // Here, so that a message renders only the chat again and not the whole room.
  const unseen = useUnseen(parts.chat, room.participants, self.uid, isChatOpen && !panels.isWideView);
  return (
    <div
      className={classNames(layout.chat, fullScreen.chat, !isChatOpen && fullScreen.folded)}
      data-panel="chat"
      tabIndex={-1}
    >
      <RoomChat
        model={parts.chat}
        self={self}
        room={room}
        isOpen={isChatOpen}
        unseen={unseen}
        onToggle={toggleChat}
        onPerson={moderation.onPerson}
      />
    </div>
  );
}
