/** Notices shown when playback is blocked, with the action that resolves each: tap, take control, or wait. */
import { type ReactNode, Suspense } from 'react';
import { useReadable, useSlowReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import type { PlaybackModel } from '../playback-model.ts';
import type { PagePlayer } from '../players/page-player.ts';
import { playbackSentences } from '../playback-words.ts';
import styles from './PlayerNotices.module.css';

export interface PlayerNoticesProps {
  model: PlaybackModel;
  stage: PagePlayer;
  isHostAway: boolean;
  /** The host’s latest error; null for none. */
  trouble: string | null;
  /** In full screen `HeldHere` is shown elsewhere. */
  isFull: boolean;
  /** For the controlling tab. */
  children?: ReactNode;
}

export function PlayerNotices({ model, stage, isHostAway, trouble, isFull, children }: PlayerNoticesProps) {
  const { control, playing } = useReadable(model.view);
  const isSoundElsewhere = useReadable(model.isSoundElsewhere);
  const { status, errorCode } = useSlowReadable(model.follow);
  const { lacks } = useReadable(stage.picture);
  const isStuck = useReadable(model.isStuck) && !isHostAway;
  const isBlocked = status === 'blocked' && playing.timeline.isPlaying;
  const isUnfetched = errorCode === 'network';
  const cannotPlay = status === 'failed' && !isUnfetched && control !== 'mine';
  const words =
    (isHostAway && playbackSentences.hostAway) ||
    (isUnfetched && playbackSentences.notFetched) ||
    (cannotPlay && playbackSentences.cannotPlayHere) ||
    trouble ||
    (isStuck && playbackSentences[control === 'mine' ? 'stuckForHost' : 'stuck']) ||
    (lacks !== null && playbackSentences.lacks[lacks]);
  return (
    // On phones it stays visible beside results and an open chat.
    <div className={styles.notices} data-notices>
      <output className={styles.words}>{words}</output>
      {isBlocked && (
        <Button variant="primary" block onClick={() => model.tapToListen()}>
          {playbackSentences.tapToListen}
        </Button>
      )}
      {!isFull && <HeldHere model={model} />}
      {control === 'mine' && <Suspense>{children}</Suspense>}
      {control === 'elsewhere' && (
        <p className={styles.elsewhere}>
          <span>{playbackSentences.elsewhere}</span>
          <Button small onClick={() => void model.takeControl()}>
            {playbackSentences.takeOver}
          </Button>
        </p>
      )}
      {control !== 'elsewhere' && isSoundElsewhere && (
        <p className={styles.elsewhere}>
          <span>{playbackSentences.elsewhere}</span>
          <Button small onClick={model.use}>
            {playbackSentences.playHere}
          </Button>
        </p>
      )}
    </div>
  );
}

/** Shown while this device is paused; returns to live. */
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
