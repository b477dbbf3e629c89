/** Over a paused film: that it is paused, where, and for the host the key that plays it for all. */
import { useReadable } from '../../store/use-readable.ts';
import { PauseIcon, PlayIcon } from '../../ui/icons/marks.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import type { PlaybackModel } from '../playback-model.ts';
import { mayPress } from '../playback-view.ts';
import { playbackSentences } from '../playback-words.ts';
import styles from './PausedPlate.module.css';
import { t } from '../../language/t.ts';

interface PausedPlateProps {
  model: PlaybackModel;
  /** The room's position, as `00:41:20`. */
  at: string;
}

export function PausedPlate({ model, at }: PausedPlateProps) {
  const { control } = useReadable(model.view);
  const canPlay = mayPress({ control }) || control === 'free';
  const words = (
    <span className={styles.words}>
      <strong>{playbackSentences.paused}</strong>
      <span>{canPlay ? t`at ${at}` : t`It goes on here by itself.`}</span>
    </span>
  );
  if (!canPlay) {
    return (
      <div className={styles.plate} data-paused>
        <span className={styles.mark}>
          <PauseIcon />
        </span>
        {words}
      </div>
    );
  }
  return (
    <button type="button" className={styles.plate} data-paused onClick={() => model.host.setPlaying(true)}>
      <span className={styles.mark}>
        <PlayIcon />
      </span>
      <VisuallyHidden>{`${t`Play for everybody`}: `}</VisuallyHidden>
      {words}
    </button>
  );
}
