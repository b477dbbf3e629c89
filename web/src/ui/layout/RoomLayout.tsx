/** The frame of a room: band, stage and rail side by side; one column on phones, where stage and rail dissolve.
   The rail holds four shelves; the caller says which of them are folded and gives each its form.
   Every part is rendered once. Only queue and proposals change place with the width (below the deck, or after the
   search), so that the order for keyboards and screen readers is always the order on the page. */
import type { ReactNode, Ref } from 'react';
import { Link } from 'wouter';
import { classNames } from '../class-names.ts';
import { CodeTiles } from '../records/CodeTiles.tsx';
import { Logo } from './Logo.tsx';
import { keyboardScroll } from '../keyboard-scroll.ts';
import { useWideScreen } from './use-wide-screen.ts';
import fullScreen from './FullScreen.module.css';
import place from './InvitePlace.module.css';
import styles from './RoomLayout.module.css';
import smallDeck from './SmallDeck.module.css';

/** Parts left out leave no gap. */
export interface RoomLayoutProps {
  /** Printed down the band on wide screens. */
  code: string;
  codeLabel: string;
  /** Names the rail for screen readers. */
  railLabel: string;
  railRef?: Ref<HTMLElement> | undefined;
  /** Keys below the logo, on wide screens. */
  news?: ReactNode;
  /** A `RoomHead`; the band itself on phones. */
  header: ReactNode;
  player: ReactNode;
  /** Edge to edge and 16:9 on phones, and sticky; otherwise padded like the deck. */
  playerIsPicture?: boolean | undefined;
  deck?: ReactNode;
  /** Join requests. */
  door?: ReactNode;
  search?: ReactNode;
  /** Below the search: in the rail it takes the height, on the stage it pushes the player down. */
  results?: ReactNode;
  searchPlace?: 'rail' | 'stage' | undefined;
  /** What comes next, below the deck. */
  queue?: ReactNode;
  /** Beside the queue where the stage is wide enough, else below it. */
  proposals?: ReactNode;
  /** Below both. */
  suggested?: ReactNode;
  people: ReactNode;
  arePeopleFolded: boolean;
  /** Below the people, on a wide screen, in the place that few of them leave. */
  invite?: ReactNode;
  isDoorFolded: boolean;
  /** A `ChatDock`: fixed at the bottom on phones; takes the rail's height, or a column of its own, when open. */
  chat: ReactNode;
  chatPlace: 'folded' | 'rail' | 'column';
  /** The room has the whole screen. */
  isFull?: boolean | undefined;
  /** Stands in place of the rail, whose shelves are kept but hidden. */
  spine?: ReactNode;
}

/** Band, stage (the main landmark) and rail. */
export function RoomLayout(props: RoomLayoutProps) {
  const { code, codeLabel, searchPlace = 'rail', results, chatPlace, spine } = props;
  const isWide = useWideScreen();
  const isSearching = Boolean(results) && searchPlace === 'rail';
  const next = (props.queue || props.proposals || props.suggested) && (
    <div className={styles.next}>
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
        (isSearching || chatPlace !== 'folded') && smallDeck.room,
        Boolean(spine) && styles.spined,
      )}
      data-full={props.isFull || undefined}
    >
      <header className={styles.band}>
        <div className={styles.bandTop}>
          <Link href="/" className={styles.home} aria-label="Tunemate home">
            <Logo />
          </Link>
          {props.news}
        </div>
        <CodeTiles code={code} label={codeLabel} layout="column" />
      </header>
      <main className={classNames(styles.stage, fullScreen.stage)}>
        <div className={styles.header}>{props.header}</div>
        {searchPlace === 'stage' && <Search {...props} />}
        <div className={classNames(styles.player, fullScreen.player, props.playerIsPicture && styles.picture)}>
          {props.player}
        </div>
        {props.deck && <div className={classNames(styles.deck, fullScreen.deck, smallDeck.deck)}>{props.deck}</div>}
        {isWide && next}
      </main>
      <RailOfShelves {...props} next={!isWide && next} />
    </div>
  );
}

function Search({ search, results, searchPlace }: RoomLayoutProps) {
  if (!search && !results) return null;
  return (
    <div className={styles.search} data-shelf={searchPlace === 'stage' ? undefined : 'find'}>
      {search}
      {results && <div className={styles.results}>{results}</div>}
    </div>
  );
}

function RailOfShelves(props: RoomLayoutProps & { next: ReactNode }) {
  const {
    railLabel,
    railRef,
    chatPlace,
    door,
    isDoorFolded,
    searchPlace,
    next,
    people,
    arePeopleFolded,
    invite,
    chat,
    spine,
  } = props;
  return (
    <aside ref={railRef} className={classNames(styles.rail, fullScreen.rail)} aria-label={railLabel}>
      {spine}
      {door && (
        <div
          className={classNames(styles.door, fullScreen.door, isDoorFolded && styles.pinned)}
          data-shelf="door"
          tabIndex={-1}
        >
          {door}
        </div>
      )}
      {searchPlace !== 'stage' && <Search {...props} />}
      {next}
      <div
        className={arePeopleFolded ? styles.peopleLine : styles.people}
        data-shelf="people"
        {...(!arePeopleFolded && keyboardScroll)}
      >
        {people}
      </div>
      {invite && <div className={place.invite}>{invite}</div>}
      <div
        className={classNames(styles.chat, fullScreen.chat, chatPlace === 'folded' && fullScreen.folded)}
        data-shelf="chat"
        tabIndex={-1}
      >
        {chat}
      </div>
    </aside>
  );
}
