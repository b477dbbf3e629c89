/** The 16:9 frame of a video room. The player stays mounted in it; a cover of the same size hides it in audio-only view,
   before the first track and for audio tracks. */
import { useLayoutEffect, useRef } from 'react';
import { lazyPart } from '../../store/lazy-part.ts';
import { useReadable } from '../../store/use-readable.ts';
import { useSlowReadable } from '../../store/use-slow-readable.ts';
import { classNames } from '../../ui/class-names.ts';
import { hasFullScreen, toggleFullScreen } from './screen-modes.ts';
import type { Elements } from '../../ui/OwnText.tsx';
import styles from './PlayerFrame.module.css';
import type { PagePlayer } from '../players/page-player.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import type { PlaybackModel } from '../playback-model.ts';
import { playbackSentences } from '../playback-words.ts';
import notices from './PlayerNotices.module.css';
import { t } from '../../language/t.ts';

const PictureAway = lazyPart(async () => (await import('./PictureAway.tsx')).PictureAway);

/** `sleeve` is a `Sleeve` without a size of its own. */
export interface PlayerFrameProps {
  stage: PagePlayer;
  isAudioOnly: boolean;
  /** Keeps YouTube's player visible in audio-only view, as its terms require of an operator. */
  keepsTile: boolean;
  sleeve: Elements;
  /** Over a paused film of the library; a frame of YouTube stays bare. */
  paused?: Elements;
}

export function PlayerFrame({ stage, isAudioOnly, keepsTile, sleeve, paused }: PlayerFrameProps) {
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
      {!showsSleeve && !isYouTube && paused}
      {document.pictureInPictureEnabled && !showsSleeve && !isYouTube && <PictureAway stage={stage} />}
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

interface PlayerNoticesProps {
  model: PlaybackModel;
  stage: PagePlayer;
  isHostAway: boolean;
  /** The host’s latest error; null for none. */
  trouble: string | null;
  /** For the controlling tab. */
  children: Elements;
}

/** Notices shown when playback is blocked, with the action that resolves each: tap, take control, or wait. */
export function PlayerNotices({ model, stage, isHostAway, trouble, children }: PlayerNoticesProps) {
  const { control, playing } = useReadable(model.view);
  const isSoundElsewhere = useReadable(model.isSoundElsewhere);
  const status = useSlowReadable(model.follow, (follow) => follow.status);
  const code = useSlowReadable(model.follow, ({ errorCode }) => errorCode);
  const { lacks } = useReadable(stage.picture);
  const isStuck = useReadable(model.isStuck) && !isHostAway;
  const isBlocked = status === 'blocked' && playing.timeline.isPlaying;
  const cannotPlay = status === 'failed' && control !== 'mine';
  const words =
    (isHostAway && t`Host is reconnecting…`) ||
    (code === 'network' && t`This track could not be fetched. Trying again…`) ||
    (code === 'damaged' && t`This track is damaged here. Trying again…`) ||
    (cannotPlay && t`This track cannot be played on this device.`) ||
    trouble ||
    (isStuck && playbackSentences[control === 'mine' ? 'stuckForHost' : 'stuck']) ||
    (lacks !== null && playbackSentences.lacks[lacks]);
  return (
    // On phones it stays visible beside results and an open chat.
    <div className={notices.notices} data-notices>
      <output className={notices.words}>{words}</output>
      {isBlocked && (
        <Button variant="primary" block onClick={() => model.tapToListen()}>
          {playbackSentences.tapToListen}
        </Button>
      )}
      {control === 'mine' && children}
      {control === 'elsewhere' && (
        <p className={notices.elsewhere}>
          <span>{playbackSentences[playing.track === null ? 'keysElsewhere' : 'elsewhere']}</span>
          <Button small onClick={() => void model.takeControl()}>
            {t`Take over`}
          </Button>
        </p>
      )}
      {control !== 'elsewhere' && isSoundElsewhere && (
        <p className={notices.elsewhere}>
          <span>{playbackSentences.elsewhere}</span>
          <Button small onClick={model.use}>
            {t`Play here`}
          </Button>
        </p>
      )}
    </div>
  );
}
