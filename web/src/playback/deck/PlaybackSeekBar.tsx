/** The room's position on a slider: the host's controlling tab moves it, everybody else watches it. */
import { useReadable } from '../../store/use-readable.ts';
import { SeekBar } from '../../ui/deck/SeekBar.tsx';
import type { PlaybackModel } from '../playback-model.ts';
import { playbackSentences } from '../playback-copy.ts';
import styles from './PlaybackSeekBar.module.css';
import { useProgress } from './use-progress.ts';
import { useSlowReadable } from './use-slow-readable.ts';

export interface PlaybackSeekBarProps {
  model: PlaybackModel;
  formatTime: (seconds: number) => string;
  showTimes?: boolean | undefined;
}

export function PlaybackSeekBar({ model, formatTime, showTimes }: PlaybackSeekBarProps) {
  const { playing, control } = useReadable(model.view);
  const positionSeconds = useProgress(model);
  const { isLive } = useSlowReadable(model.follow);
  const canSeek = control === 'mine' && playing.track !== null;
  // A live stream has no length, and its positions mean nothing to a person.
  if (isLive) return showTimes ? <LiveTag /> : null;
  return (
    <SeekBar
      label={canSeek ? 'Seek' : 'Position'}
      positionSeconds={positionSeconds}
      durationSeconds={playing.durationSeconds ?? 0}
      formatTime={formatTime}
      showTimes={showTimes}
      disabled={!canSeek}
      onCommit={(seconds) => model.host.seek(seconds)}
    />
  );
}

function LiveTag() {
  return (
    <p className={styles.live}>
      <strong>{playbackSentences.live}</strong> {playbackSentences.playsFromNow}
    </p>
  );
}
