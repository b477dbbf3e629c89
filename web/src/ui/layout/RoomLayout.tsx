/** The frame of a room: band, stage and rail side by side; one column on phones, where stage and rail dissolve.
   Every part is rendered once. Only the queue changes place with the width (below the deck, or after the
   search), so that the order for keyboards and screen readers is always the order on the page. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { classNames } from '../class-names.ts';
import type { BandInk } from '../inks.ts';
import { CodeTiles } from '../records/CodeTiles.tsx';
import { Logo } from './Logo.tsx';
import { keyboardScroll } from '../keyboard-scroll.ts';
import { useWideScreen } from './use-wide-screen.ts';
import { useBand } from './use-band.ts';
import styles from './RoomLayout.module.css';

/** Parts left out leave no gap. */
export interface RoomLayoutProps {
  band: BandInk;
  /** Printed down the band on wide screens. */
  code: string;
  codeLabel: string;
  /** Names the rail for screen readers. */
  railLabel: string;
  /** A `RoomHead`; the band itself on phones. */
  header: ReactNode;
  player: ReactNode;
  /** Edge to edge and 16:9 on phones, and sticky; otherwise padded like the deck. */
  playerIsPicture?: boolean | undefined;
  deck?: ReactNode;
  pending?: ReactNode;
  search?: ReactNode;
  /** Below the search: in the rail it hides everything else there, on the stage it pushes the player down. */
  results?: ReactNode;
  searchPlace?: 'rail' | 'stage' | undefined;
  /** What comes next, below the deck. */
  queue?: ReactNode;
  participants?: ReactNode;
  /** A `ChatDock`: fixed at the bottom on phones; takes the whole rail, or the phone below the player, when open. */
  chat: ReactNode;
  chatOpen: boolean;
}

/** Band, stage (the main landmark) and rail. */
export function RoomLayout(props: RoomLayoutProps) {
  const { band, code, codeLabel, railLabel, searchPlace = 'rail', results, chatOpen } = props;
  useBand(band);
  const isWide = useWideScreen();
  const search = (props.search || results) && (
    <div className={styles.search}>
      {props.search}
      {results && <div className={styles.results}>{results}</div>}
    </div>
  );
  const queue = props.queue && <div className={styles.queue}>{props.queue}</div>;
  return (
    <div
      className={classNames(
        styles.room,
        chatOpen && styles.chatOpen,
        Boolean(results) && searchPlace === 'rail' && styles.searching,
      )}
    >
      <header className={styles.band}>
        <Link href="/" className={styles.home} aria-label="Tunemate home">
          <Logo />
        </Link>
        <CodeTiles code={code} label={codeLabel} layout="column" />
      </header>
      <main className={styles.stage}>
        <div className={styles.header}>{props.header}</div>
        {searchPlace === 'stage' && search}
        <div className={classNames(styles.player, props.playerIsPicture && styles.picture)}>{props.player}</div>
        {props.deck && <div className={styles.deck}>{props.deck}</div>}
        {isWide && queue}
      </main>
      <aside className={styles.rail} aria-label={railLabel}>
        {props.pending && <div className={styles.pending}>{props.pending}</div>}
        {searchPlace === 'rail' && search}
        {!isWide && queue}
        {props.participants && (
          <div className={styles.participants} {...keyboardScroll}>
            {props.participants}
          </div>
        )}
        <div className={styles.chat}>{props.chat}</div>
      </aside>
    </div>
  );
}
