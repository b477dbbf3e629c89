/** The room's position on a slider, which only the host's controlling tab can move. */
import { progressPollMs } from '@tunemate/playback';
import { useEffect, useState } from 'react';
import { useReadable, useSlowReadable } from '../../store/use-readable.ts';
import { SeekBar } from '../../ui/deck/SeekBar.tsx';
import type { PlaybackModel } from '../playback-model.ts';
import { playbackSentences } from '../playback-words.ts';
import styles from './PlaybackSeekBar.module.css';
import { t } from '../../language/t.ts';

interface PlaybackSeekBarProps {
  model: PlaybackModel;
  formatTime: (seconds: number) => string;
  showTimes?: boolean | undefined;
}

export function PlaybackSeekBar({ model, formatTime, showTimes }: PlaybackSeekBarProps) {
  const { playing, control } = useReadable(model.view);
  const positionSeconds = useProgress(model);
  const { isLive } = useSlowReadable(model.follow);
  const canSeek = control === 'mine' && playing.track !== null;
  // A live stream has no length, and its positions mean nothing to users.
  if (isLive) return showTimes ? <LiveTag /> : null;
  return (
    <SeekBar
      label={canSeek ? t`Seek` : t`Position`}
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
      <strong>{playbackSentences.live}</strong>
      <span>{` ${playbackSentences.playsFromNow}`}</span>
    </p>
  );
}

/** Allows for a timer that fires early. */
const afterTheSecondMs = 15;

/**
 * The room's position, in seconds from the beginning of the track. Read once a second, just after a whole second has
 * passed in the music, and at once when the room's playback changes.
 */
export function useProgress(model: PlaybackModel): number {
  const [seconds, setSeconds] = useState(() => model.positionSeconds());
  useEffect(() => {
    let timer = 0;
    const read = (): void => {
      const now = model.positionSeconds();
      setSeconds(now);
      clearTimeout(timer);
      timer = window.setTimeout(read, progressPollMs - ((now * 1000) % progressPollMs) + afterTheSecondMs);
    };
    read();
    const stop = model.view.subscribe(read);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [model]);
  return seconds;
}
