/** The 16:9 frame of a video room. The player stays mounted in it; a cover of the same size hides it in audio-only view,
   before the first track and for audio tracks. */
import { Suspense, useLayoutEffect, useRef, type ReactNode } from 'react';
import { lazyPart } from '../../store/lazy-part.ts';
import { useReadable } from '../../store/use-readable.ts';
import { classNames } from '../../ui/class-names.ts';
import { hasFullScreen, toggleFullScreen } from './screen-modes.ts';
import styles from './PlayerFrame.module.css';
import type { PagePlayer } from '../players/page-player.ts';

const PictureAway = lazyPart(async () => (await import('./PictureAway.tsx')).PictureAway);

/** `sleeve` is a `Sleeve` without a size of its own. */
export interface PlayerFrameProps {
  stage: PagePlayer;
  isAudioOnly: boolean;
  /** Keeps YouTube's player visible in audio-only view, as its terms require of an operator. */
  keepsTile: boolean;
  sleeve: ReactNode;
}

export function PlayerFrame({ stage, isAudioOnly, keepsTile, sleeve }: PlayerFrameProps) {
  const { source, isMoving, needsTouch } = useReadable(stage.picture);
  const showsSleeve = isAudioOnly || !isMoving;
  const isYouTube = source === 'youtube';
  const showsTile = showsSleeve && isYouTube && (keepsTile || needsTouch);
  const isTouchable = isYouTube && (showsTile || !showsSleeve);
  return (
    <div
      data-picture={isMoving && !isAudioOnly ? source : undefined}
      onDoubleClick={hasFullScreen ? toggleFullScreen : undefined}
      className={classNames(
        styles.frame,
        isTouchable && styles.touchable,
        showsSleeve && styles.audioOnly,
        showsTile && styles.withTile,
      )}
    >
      <PlayerHost stage={stage} className={styles.host} />
      {showsSleeve && <div className={styles.sleeve}>{sleeve}</div>}
      {document.pictureInPictureEnabled && !showsSleeve && !isYouTube && (
        <Suspense>
          <PictureAway stage={stage} />
        </Suspense>
      )}
    </div>
  );
}

/** The player in an audio room: hidden, unless `isShown` or an advert keeps a small tile of YouTube's. */
export function HiddenPlayer({ stage, isShown }: { stage: PagePlayer; isShown: boolean }) {
  const { source, needsTouch } = useReadable(stage.picture);
  const className = needsTouch || (isShown && source === 'youtube') ? styles.tile : styles.unseen;
  return <PlayerHost stage={stage} className={className} />;
}

function PlayerHost({ stage, className }: { stage: PagePlayer; className: string | undefined }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // Appending an element where it already is would restart a frame.
    if (stage.element.parentElement !== box.current) box.current?.append(stage.element);
  }, [stage]);
  return <div ref={box} className={classNames(styles.box, className)} />;
}
