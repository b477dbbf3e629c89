/** The layout of a room: band, stage and sidebar side by side; one column on phones. Panels
   change places with the width, so that the order for keyboards and screen readers is the visual order. */
import { useState } from 'react';
import { Link } from '../../ui/Link.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CodeTiles } from '../join/CodeTiles.tsx';
import { Logo } from '../../ui/layout/Logo.tsx';
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
import { type Area, areaOf, inTurn, type RoomPanel } from '../panels.tsx';
import type { InPanel } from '../in-panel.ts';
import head from './RoomHead.module.css';
import { hostName } from './room-model.ts';
import type { RoomView } from './visit.ts';

interface RoomLayoutProps {
  /** Those of this person, in the order of wide screens. */
  panels: readonly RoomPanel[];
  inPanel: InPanel;
  /** A `RoomHead`; the band itself on phones. */
  header: Elements;
  player: Elements;
  /** On phones a frame is edge to edge, 16:9 and sticky, a board edge to edge; a sleeve is padded like the deck. */
  playerForm: 'frame' | 'sleeve' | 'board';
  /** At the foot of the player. */
  notice: Elements;
  deck: Elements;
  /** Over everything, in full screen. */
  over: Elements;
  /** Replaces the sidebar, whose panels stay mounted but hidden. */
  tabs: Elements;
}

const forms = { frame: styles.picture, sleeve: undefined, board: styles.board };

export function RoomLayout(props: RoomLayoutProps) {
  const { panels, inPanel, tabs } = props;
  const { isFull, finding } = inPanel;
  const { code } = inPanel.state.room;
  const {
    element,
    isChatOpen,
    panels: { isChatColumn, search },
  } = inPanel.sidebar;
  const isSearching = search === 'results';
  const isWide = useWideScreen();
  const isTablet = useUprightTablet() && !isFull && !tabs;
  const width = isTablet ? 'tablet' : isWide ? 'wide' : 'phone';
  const inOrder = width === 'phone' ? inTurn(panels, inPanel.hasBoard) : panels;
  const inArea = (area: Area) => <Parts of={inOrder.filter((panel) => areaOf(panel, width) === area)} {...inPanel} />;
  return (
    <div
      className={classNames(
        styles.room,
        fullScreen.room,
        isChatOpen && styles.chatOpen,
        isChatColumn && styles.chatColumn,
        isSearching && styles.searching,
        finding.library === 'stage' && styles.beside,
        (isSearching || isChatOpen) && styles.smallDeck,
        Boolean(tabs) && styles.tabbed,
        isTablet && crowd.tablet,
      )}
      data-full={isFull || undefined}
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
        <div
          className={classNames(
            styles.player,
            fullScreen.player,
            forms[props.playerForm],
            isTablet && (props.playerForm === 'sleeve' ? crowd.cover : crowd.frame),
          )}
        >
          {props.player}
        </div>
        {props.notice}
        <div className={classNames(styles.deck, fullScreen.deck)}>{props.deck}</div>
        {inArea('below')}
      </main>
      {isTablet && <div className={crowd.left}>{inArea('left')}</div>}
      <aside ref={element} className={classNames(styles.sidebar, fullScreen.sidebar)} aria-label={t`Room`}>
        {tabs}
        {inArea('sidebar')}
      </aside>
      {props.over}
    </div>
  );
}

/** They keep their state where they change places among each other. */
const Parts = ({ of, ...inPanel }: InPanel & { of: readonly RoomPanel[] }) => (
  <OwnText>
    {of.map(({ id, Part }) => (
      <Part key={id} {...inPanel} />
    ))}
  </OwnText>
);

const InviteSheet = lazyPart(async () => (await import('../join/Invite.tsx')).InviteSheet);
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
          <span className={head.leader}>{room.host === self.uid ? t`You (Host)` : hostName(room)}</span>
          {room.isLocked && (
            <span className={head.locked}>
              <LockIcon size={14} />
              <span>{t`Locked`}</span>
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
    sheet: isOpen && <InviteSheet room={room} admits={settings?.admits ?? null} onClose={() => setIsOpen(false)} />,
  };
}

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
