/** The layout of a room: band, stage and sidebar side by side; one column on phones. Each part is rendered once. Queue
   and proposals change place with the width, so that the order for keyboards and screen readers is the visual order. */
import type { Ref } from 'react';
import { Link } from 'wouter';
import { classNames } from '../../ui/class-names.ts';
import { CodeTiles } from '../join/CodeTiles.tsx';
import { Logo } from '../../ui/layout/Logo.tsx';
import { keyboardScroll } from '../../ui/keyboard-scroll.ts';
import { useWideScreen } from '../../ui/layout/use-wide-screen.ts';
import fullScreen from './FullScreen.module.css';
import styles from './RoomLayout.module.css';
import type { Elements } from '../../ui/OwnText.tsx';
import { t } from '../../language/t.ts';

export interface RoomLayoutProps {
  /** Printed down the band on wide screens. */
  code: string;
  codeLabel: string;
  sidebarLabel: string;
  sidebarRef?: Ref<HTMLElement> | undefined;
  /** Below the logo, on wide screens. */
  links?: Elements;
  /** A `RoomHead`; the band itself on phones. */
  header: Elements;
  player: Elements;
  /** Edge to edge and 16:9 on phones, and sticky; otherwise padded like the deck. */
  playerIsPicture?: boolean | undefined;
  deck?: Elements;
  requests?: Elements;
  search?: Elements;
  /** Below the search: in the sidebar it takes the height, on the stage it pushes the player down. */
  results?: Elements;
  searchPlace?: 'sidebar' | 'stage' | undefined;
  queue?: Elements;
  proposals?: Elements;
  suggested?: Elements;
  /** Above the queue, where nothing was chosen yet. */
  first?: Elements;
  people: Elements;
  arePeopleFolded: boolean;
  invite?: Elements;
  areRequestsFolded: boolean;
  /** A `ChatDock`: fixed at the bottom on phones; takes the sidebar's height, or a column of its own, when open. */
  chat: Elements;
  chatPlace: 'folded' | 'sidebar' | 'column';
  isFull?: boolean | undefined;
  /** Over everything, in full screen. */
  over?: Elements;
  /** Replaces the sidebar, whose panels stay mounted but hidden. */
  tabs?: Elements;
}

export function RoomLayout(props: RoomLayoutProps) {
  const { code, codeLabel, searchPlace = 'sidebar', results, chatPlace, tabs } = props;
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
          {props.links}
        </div>
        <CodeTiles code={code} label={codeLabel} layout="column" />
      </header>
      <main className={classNames(styles.stage, fullScreen.stage)}>
        <div className={styles.header}>{props.header}</div>
        {searchPlace === 'stage' && <Search {...props} />}
        <div className={classNames(styles.player, fullScreen.player, props.playerIsPicture && styles.picture)}>
          {props.player}
        </div>
        {props.deck && <div className={classNames(styles.deck, fullScreen.deck)}>{props.deck}</div>}
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
    sidebarLabel,
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
    <aside ref={sidebarRef} className={classNames(styles.sidebar, fullScreen.sidebar)} aria-label={sidebarLabel}>
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
