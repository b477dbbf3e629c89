/** What stands between this person and the music, each with its one way out: a tap, taking over, or patience. */
import { useReadable, useSlowReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import type { PlaybackModel } from '../playback-model.ts';
import { playbackSentences } from '../playback-words.ts';
import styles from './PlayerNotices.module.css';

/** `isHostAway` is the room's to say; a broken line, the whole page's. */
export interface PlayerNoticesProps {
  model: PlaybackModel;
  isHostAway: boolean;
  /** What just went wrong for the host; null for nothing. */
  trouble: string | null;
  /** In full screen it stands in the place of a request that this device is paused. */
  isFull: boolean;
}

/** Nothing at all while everything is well. */
export function PlayerNotices({ model, isHostAway, trouble, isFull }: PlayerNoticesProps) {
  const { control, playing } = useReadable(model.view);
  const { status, errorCode } = useSlowReadable(model.follow);
  const isBlocked = status === 'blocked' && playing.timeline.isPlaying;
  const isUnfetched = errorCode === 'network';
  const cannotPlay = status === 'failed' && !isUnfetched && control !== 'mine';
  const words =
    (isHostAway && playbackSentences.hostAway) ||
    (isUnfetched && playbackSentences.notFetched) ||
    (cannotPlay && playbackSentences.cannotPlayHere) ||
    trouble;
  return (
    // On phones it stays in sight beside results and an open chat.
    <div className={styles.notices} data-notices>
      <output className={styles.words}>{words}</output>
      {isBlocked && (
        <Button variant="primary" block onClick={() => model.tapToListen()}>
          {playbackSentences.tapToListen}
        </Button>
      )}
      {!isFull && <HeldHere model={model} />}
      {control === 'elsewhere' && (
        <p className={styles.elsewhere}>
          {playbackSentences.elsewhere}
          <Button small onClick={() => void model.takeControl()}>
            {playbackSentences.takeOver}
          </Button>
        </p>
      )}
    </div>
  );
}

/** That this device is paused, and the way back. */
export function HeldHere({ model }: Pick<PlayerNoticesProps, 'model'>) {
  const { status } = useSlowReadable(model.follow);
  if (status !== 'held') return null;
  return (
    <div className={styles.held}>
      <output>{playbackSentences.held}</output>
      <Button small variant="primary" onClick={() => model.tapToListen()}>
        {playbackSentences.backToLive}
      </Button>
    </div>
  );
}
