/** The bar of a room that goes on behind other pages: under the band on phones, along the bottom on wide screens. */
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Link } from 'wouter';
import { useReadable } from '../../store/use-readable.ts';
import { ButtonLink, Spinner } from '../buttons/Button.tsx';
import { classNames } from '../class-names.ts';
import type { BandInk } from '../inks.ts';
import { VisuallyHidden } from '../VisuallyHidden.tsx';
import { Sleeve } from '../records/Sleeve.tsx';
import { Vinyl } from '../records/Vinyl.tsx';
import styles from './RoomBar.module.css';
import { roomBarSlot } from './RoomBarSlot.tsx';

/** What is printed before the state: moving bars, bars at rest, a spindle, or the tag of a live stream. */
export type RoomBarSign = 'playing' | 'still' | 'waiting' | 'live';

export interface RoomBarProps {
  /** The room's own ink; the page keeps its band. */
  ink: BandInk;
  href: string;
  title: string;
  code: string;
  pictureUrl?: string | undefined;
  /** A line such as 'Playing'; wide screens add the room's name. */
  state: string;
  roomName: string;
  sign: RoomBarSign;
  /** The host's play button, or the one way out of what keeps this device silent. */
  mainButton?: ReactNode;
  leave: ReactNode;
  /** The host's: somebody who asks to join, with the answers, and the words that announce it. */
  request?: ReactNode;
  asks?: string | undefined;
}

const returnToRoom = 'Return to room';

/** Nothing on pages that keep no place for it. */
export function RoomBar(props: RoomBarProps) {
  const place = useReadable(roomBarSlot);
  return place && createPortal(<Bar {...props} />, place);
}

function Bar(props: RoomBarProps) {
  const { ink, href, title, code, pictureUrl, state, roomName, sign, mainButton, leave, request, asks } = props;
  const isMoving = sign === 'playing' || sign === 'live';
  return (
    <section className={styles.bar} aria-label="Room" data-band={ink} data-room-bar={request ? 'asked' : ''}>
      <Link href={href} className={styles.room}>
        <VisuallyHidden>{returnToRoom}: </VisuallyHidden>
        <Sleeve code={code} pictureUrl={pictureUrl} record={<Vinyl pressed spinning={isMoving} />} peek={0.3} />
        <span className={styles.words}>
          <strong>{title}</strong>
          <span className={styles.state}>
            <Sign sign={sign} />
            <span className={styles.onWide}>{`${state} · ${roomName}`}</span>
            <span className={styles.onPhone}>
              {state} · <b>{returnToRoom}</b>
            </span>
          </span>
        </span>
      </Link>
      {/* Apart from the title, which may be long and changes often. */}
      <VisuallyHidden>
        <output>{state}</output>
        <output>{asks}</output>
      </VisuallyHidden>
      {request && <div className={styles.request}>{request}</div>}
      <div className={styles.keys}>
        {mainButton}
        <ButtonLink small variant="quiet" href={href} className={styles.onWide}>
          {returnToRoom}
        </ButtonLink>
        {leave}
      </div>
    </section>
  );
}

function Sign({ sign }: { sign: RoomBarSign }) {
  if (sign === 'waiting') return <Spinner />;
  if (sign === 'live') return <span className={styles.live}>LIVE</span>;
  return (
    <span className={classNames(styles.bars, sign === 'still' && styles.still)} aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  );
}
