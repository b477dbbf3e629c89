/** The layout of a room: band, stage and sidebar side by side; one column on phones. Each part is rendered once. Queue
   and proposals change place with the width, so that the order for keyboards and screen readers is the visual order. */
import { useState, type Ref } from 'react';
import { Link } from '../../ui/Link.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CodeTiles } from '../join/CodeTiles.tsx';
import { Logo } from '../../ui/layout/Logo.tsx';
import { keyboardScroll } from '../../ui/keyboard-scroll.ts';
import { useUprightTablet, useWideScreen } from '../../ui/layout/use-wide-screen.ts';
import crowd from './Crowd.module.css';
import fullScreen from './FullScreen.module.css';
import styles from './RoomLayout.module.css';
import { type Elements, OwnText } from '../../ui/OwnText.tsx';
import { t } from '../../language/t.ts';
import { UnreadLink, UnreadLinks, useUnread } from '../../shell/UnreadLink.tsx';
import { lazyPart } from '../../store/lazy-part.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { LockIcon, SettingsIcon } from '../../ui/icons/film-icons.tsx';
import { LeaveIcon, PersonPlusIcon } from '../../ui/icons/inside-icons.tsx';
import { CrownIcon } from '../../ui/icons/marks.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { roomSentences } from '../room-words.ts';
import head from './RoomHead.module.css';
import { hostName } from './room-model.ts';
import type { RoomView } from './visit.ts';

interface RoomLayoutProps {
  /** Printed down the band on wide screens. */
  code: string;
  sidebarRef: Ref<HTMLElement>;
  /** A `RoomHead`; the band itself on phones. */
  header: Elements;
  player: Elements;
  /** On phones a frame is edge to edge, 16:9 and sticky, a board edge to edge; a sleeve is padded like the deck. */
  playerForm: 'frame' | 'sleeve' | 'board';
  /** At the foot of the player. */
  notice: Elements;
  deck: Elements;
  requests: Elements;
  search: Elements;
  /** The library is open on the stage: wide screens show it beside the player. */
  isBeside: boolean;
  /** Below the search: in the sidebar it takes the height, on the stage it pushes the player down. */
  results: Elements;
  searchPlace: 'sidebar' | 'stage';
  queue: Elements;
  proposals: Elements;
  suggested: Elements;
  people: Elements;
  arePeopleFolded: boolean;
  invite: Elements;
  /** Then the invitation is a card. */
  isAlone: boolean;
  areRequestsFolded: boolean;
  /** A `ChatDock`: fixed at the bottom on phones; takes the sidebar's height, or a column of its own, when open. */
  chat: Elements;
  chatPlace: 'folded' | 'sidebar' | 'column';
  isFull: boolean;
  /** Over everything, in full screen. */
  over: Elements;
  /** Replaces the sidebar, whose panels stay mounted but hidden. */
  tabs: Elements;
}

const forms = { frame: styles.picture, sleeve: undefined, board: styles.board };

export function RoomLayout(props: RoomLayoutProps) {
  const { code, searchPlace, results, chatPlace, tabs } = props;
  const isWide = useWideScreen();
  const isTablet = useUprightTablet() && !props.isFull && !tabs;
  const isSearching = Boolean(results) && searchPlace === 'sidebar';
  const isChatOpen = chatPlace !== 'folded';
  // A broad window has room for it below the desk.
  const isBroad = chatPlace === 'column';
  const suggested = props.suggested && isBroad && (
    <div key="next" className={styles.next}>
      {props.suggested}
    </div>
  );
  const next = (props.queue || props.proposals || (props.suggested && !isBroad)) && (
    <div key="next" className={styles.next}>
      <div className={styles.columns}>
        {props.queue}
        {props.proposals}
      </div>
      {!isBroad && props.suggested}
    </div>
  );
  return (
    <div
      className={classNames(
        styles.room,
        fullScreen.room,
        isChatOpen && styles.chatOpen,
        isBroad && styles.chatColumn,
        isSearching && styles.searching,
        props.isBeside && styles.beside,
        (isSearching || isChatOpen) && styles.smallDeck,
        Boolean(tabs) && styles.tabbed,
        isTablet && crowd.tablet,
      )}
      data-full={props.isFull || undefined}
      data-chat={isChatOpen || undefined}
    >
      <header className={styles.band}>
        <div className={styles.bandTop}>
          <Link href="/" className={styles.home} aria-label={t`Tunemate home`}>
            <Logo />
          </Link>
          <UnreadLinks />
        </div>
        <CodeTiles code={code} layout="column" />
      </header>
      <main className={classNames(styles.stage, fullScreen.stage)}>
        <div className={styles.header}>{props.header}</div>
        {searchPlace === 'stage' && <Search {...props} />}
        <div
          className={classNames(
            styles.player,
            fullScreen.player,
            forms[props.playerForm],
            isTablet && props.playerForm === 'frame' && crowd.frame,
          )}
        >
          {props.player}
        </div>
        {props.notice}
        <div className={classNames(styles.deck, fullScreen.deck)}>{props.deck}</div>
        {isWide && !isTablet && next}
      </main>
      {isTablet && (
        <div className={crowd.left}>
          {searchPlace !== 'stage' && <Search {...props} />}
          {next}
        </div>
      )}
      <SidebarOfPanels {...props} isWide={isWide} hasSearch={!isTablet} next={isWide ? suggested : next} />
      {props.over}
    </div>
  );
}

function Search({ search, results, searchPlace }: RoomLayoutProps) {
  if (!search && !results) return null;
  return (
    <div className={styles.search} data-panel={searchPlace === 'stage' ? undefined : 'search'}>
      {search}
      {results && <div className={styles.results}>{results}</div>}
    </div>
  );
}

/**
 * People first; on phones, where they come last, the search and what waits for the host. The elements have keys, and only
 * change places.
 */
function SidebarOfPanels(props: RoomLayoutProps & { next: Elements; isWide: boolean; hasSearch: boolean }) {
  const {
    sidebarRef,
    chatPlace,
    requests,
    areRequestsFolded,
    searchPlace,
    next,
    people,
    arePeopleFolded,
    invite,
    chat,
    tabs,
    playerForm,
    isWide,
  } = props;
  const requestsPanel = requests && (
    <div
      key="requests"
      className={classNames(styles.requests, fullScreen.requests, areRequestsFolded && styles.pinned)}
      data-panel="requests"
      tabIndex={-1}
    >
      {requests}
    </div>
  );
  const searchPanel = searchPlace !== 'stage' && props.hasSearch && <Search key="search" {...props} />;
  const peoplePanel = (
    <div
      key="people"
      className={arePeopleFolded ? styles.peopleLine : crowd.people}
      data-panel="people"
      {...(!arePeopleFolded && keyboardScroll)}
    >
      {people}
    </div>
  );
  const invitePanel = invite && (
    <div key="invite" className={props.isAlone ? crowd.invite : crowd.inviteLine}>
      {invite}
    </div>
  );
  const toDo = playerForm === 'board' ? [searchPanel, requestsPanel] : [requestsPanel, searchPanel];
  return (
    <aside ref={sidebarRef} className={classNames(styles.sidebar, fullScreen.sidebar)} aria-label={t`Room`}>
      {tabs}
      <OwnText>
        {isWide
          ? [peoplePanel, invitePanel, requestsPanel, searchPanel, next]
          : [...toDo, next, peoplePanel, invitePanel]}
      </OwnText>
      <div
        className={classNames(styles.chat, fullScreen.chat, chatPlace === 'folded' && fullScreen.folded)}
        data-panel="chat"
        tabIndex={-1}
      >
        {chat}
      </div>
    </aside>
  );
}

const InviteSheet = lazyPart(async () => (await import('../join/Invite.tsx')).InviteSheet);
const InvitePeople = lazyPart(async () => (await import('../../tunemates/InvitePeople.tsx')).InvitePeople);
const RoomSettings = lazyPart(async () => (await import('../sidebar/RoomSettings.tsx')).RoomSettings);

/**
 * The head of a room: its name, its host, Room settings, and Leave. On phones it is the band, with Invite and a bell for
 * unread chats and notifications; on wide screens the heading of the people and the layout's band have these.
 */
export function RoomHead(props: RoomView & { onInvite: () => void; onLeave: () => void }) {
  const { state, self, onInvite, onLeave } = props;
  const { room } = state;
  const isWide = useWideScreen();
  return (
    <div className={head.head}>
      <div className={head.words}>
        <h1 dir="auto">{room.name}</h1>
        <p className={head.label}>
          <CrownIcon />
          <span className={head.leader}>{room.host === self.uid ? roomSentences.youHost : hostName(room)}</span>
          {room.isLocked && (
            <span className={head.locked}>
              <LockIcon size={14} />
              <span>{roomSentences.locked}</span>
            </span>
          )}
          <span className={head.code}>
            <VisuallyHidden>{`${t`Room code`} `}</VisuallyHidden>
            <span>{room.code}</span>
          </span>
        </p>
      </div>
      <div className={head.more}>
        {!isWide && <IconButton label={t`Invite`} icon={<PersonPlusIcon />} onClick={onInvite} />}
        <SettingsKey {...props} />
        <UnreadBell />
      </div>
      <Button variant="danger" small className={head.action} icon={<LeaveIcon size={18} />} onClick={onLeave}>
        {t`Leave`}
      </Button>
    </div>
  );
}

/** The invitation of a room, which stays open while its key moves from one place to another. */
export function useInvite({ visit: { requests }, state: { room } }: RoomView) {
  const { settings } = useReadable(requests.state);
  const [isOpen, setIsOpen] = useState(false);
  return {
    open: (): void => setIsOpen(true),
    sheet: isOpen && (
      <InviteSheet room={room} admits={settings?.admits ?? null} onClose={() => setIsOpen(false)}>
        <InvitePeople room={room} />
      </InviteSheet>
    ),
  };
}

/** At the heading of the people, on wide screens. */
export const InviteKey = ({ onInvite }: { onInvite: () => void }) => (
  <Button variant="ghost" small icon={<PersonPlusIcon size={18} />} onClick={onInvite}>
    {t`Invite`}
  </Button>
);

function SettingsKey({ visit: { requests }, state: { room } }: RoomView) {
  const { settings } = useReadable(requests.state);
  const [isOpen, setIsOpen] = useState(false);
  if (settings === null) return null;
  return (
    <>
      <IconButton label={t`Room settings`} icon={<SettingsIcon />} onClick={() => setIsOpen(true)} />
      {isOpen && <RoomSettings room={room} own={settings} onClose={() => setIsOpen(false)} />}
    </>
  );
}

/** For the head on phones: leads to the notifications, or to the chats when only they are unread. */
function UnreadBell() {
  const { chats, notices } = useUnread();
  return (
    <span className={head.phone}>
      {notices === 0 && chats > 0 ? (
        <UnreadLink href="/chats" count={chats} />
      ) : (
        <UnreadLink href="/notifications" count={chats + notices} />
      )}
    </span>
  );
}
