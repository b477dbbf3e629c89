/** The layout of a room: band, stage and sidebar side by side; one column on phones. Each part is rendered once. Queue
   and proposals change place with the width, so that the order for keyboards and screen readers is the visual order. */
import { useState, type Ref } from 'react';
import { Link } from '../../ui/Link.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CodeTiles } from '../join/CodeTiles.tsx';
import { Logo } from '../../ui/layout/Logo.tsx';
import { keyboardScroll } from '../../ui/keyboard-scroll.ts';
import { useWideScreen } from '../../ui/layout/use-wide-screen.ts';
import fullScreen from './FullScreen.module.css';
import styles from './RoomLayout.module.css';
import type { Elements } from '../../ui/OwnText.tsx';
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
  /** Edge to edge and 16:9 on phones, and sticky; otherwise padded like the deck. */
  playerIsPicture: boolean;
  deck: Elements;
  requests: Elements;
  search: Elements;
  /** Below the search: in the sidebar it takes the height, on the stage it pushes the player down. */
  results: Elements;
  searchPlace: 'sidebar' | 'stage';
  queue: Elements;
  proposals: Elements;
  suggested: Elements;
  /** Above the queue, where nothing was chosen yet. */
  first: Elements;
  people: Elements;
  arePeopleFolded: boolean;
  invite: Elements;
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

export function RoomLayout(props: RoomLayoutProps) {
  const { code, searchPlace, results, chatPlace, tabs } = props;
  const isWide = useWideScreen();
  const isSearching = Boolean(results) && searchPlace === 'sidebar';
  const next = (props.queue || props.proposals || props.suggested) && (
    <div className={styles.next}>
      {props.first}
      <div className={styles.columns}>
        {props.queue}
        {props.proposals}
      </div>
      {props.suggested}
    </div>
  );
  return (
    <div
      className={classNames(
        styles.room,
        fullScreen.room,
        chatPlace !== 'folded' && styles.chatOpen,
        chatPlace === 'column' && styles.chatColumn,
        isSearching && styles.searching,
        (isSearching || chatPlace !== 'folded') && styles.smallDeck,
        Boolean(tabs) && styles.tabbed,
      )}
      data-full={props.isFull || undefined}
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
        <div className={classNames(styles.player, fullScreen.player, props.playerIsPicture && styles.picture)}>
          {props.player}
        </div>
        <div className={classNames(styles.deck, fullScreen.deck)}>{props.deck}</div>
        {isWide && next}
      </main>
      <SidebarOfPanels {...props} next={!isWide && next} />
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

function SidebarOfPanels(props: RoomLayoutProps & { next: Elements }) {
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
  } = props;
  return (
    <aside ref={sidebarRef} className={classNames(styles.sidebar, fullScreen.sidebar)} aria-label={t`Room`}>
      {tabs}
      {requests && (
        <div
          className={classNames(styles.requests, fullScreen.requests, areRequestsFolded && styles.pinned)}
          data-panel="requests"
          tabIndex={-1}
        >
          {requests}
        </div>
      )}
      {searchPlace !== 'stage' && <Search {...props} />}
      {next}
      <div
        className={arePeopleFolded ? styles.peopleLine : styles.people}
        data-panel="people"
        {...(!arePeopleFolded && keyboardScroll)}
      >
        {people}
      </div>
      {invite && <div className={styles.invite}>{invite}</div>}
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
 * The head of a room: its name, its host, Invite, Room settings, and Leave. On phones it is the band, with a bell for
 * unread chats and notifications; on wide screens the layout's band has links for them.
 */
export function RoomHead(props: RoomView & { onLeave: () => void }) {
  const { state, self, onLeave } = props;
  const { room } = state;
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
        <InviteAndSettings {...props} />
        <UnreadBell />
      </div>
      <Button variant="danger" small className={head.action} icon={<LeaveIcon size={18} />} onClick={onLeave}>
        {t`Leave`}
      </Button>
    </div>
  );
}

function InviteAndSettings({ visit: { requests }, state: { room } }: RoomView) {
  const { admits } = useReadable(requests.state);
  const [open, setOpen] = useState<'invite' | 'settings' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <>
      {useWideScreen() ? (
        <Button small icon={<PersonPlusIcon size={18} />} onClick={() => setOpen('invite')}>
          {t`Invite`}
        </Button>
      ) : (
        <IconButton label={t`Invite`} icon={<PersonPlusIcon />} onClick={() => setOpen('invite')} />
      )}
      {admits !== null && (
        <IconButton label={t`Room settings`} icon={<SettingsIcon />} onClick={() => setOpen('settings')} />
      )}
      {open === 'invite' && (
        <InviteSheet room={room} admits={admits} onClose={close}>
          <InvitePeople room={room} />
        </InviteSheet>
      )}
      {open === 'settings' && admits !== null && (
        <RoomSettings room={room} admits={admits} model={requests} onClose={close} />
      )}
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
