/** Over a paused film: who paused it, where, and for a person who may press it the key that plays it for all. */
import type { RoomDocument } from '@tunemate/protocol';
import { useReadable } from '../../store/use-readable.ts';
import { PauseIcon, PlayIcon } from '../../ui/icons/marks.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import type { PlaybackModel } from '../../playback/playback-model.ts';
import { mayPress } from '../../playback/playback-view.ts';
import { playbackSentences } from '../../playback/playback-words.ts';
import { pausedBy, presserIn } from './remote-words.ts';
import styles from './PausedPlate.module.css';
import { t } from '../../language/t.ts';

interface PausedPlateProps {
  room: RoomDocument;
  selfUid: string;
  model: PlaybackModel;
  /** The room's position, as `00:41:20`. */
  at: string;
}

export function PausedPlate({ room, selfUid, model, at }: PausedPlateProps) {
  const { control, playing } = useReadable(model.view);
  const presser = presserIn(room, playing.by, selfUid);
  const canPlay = mayPress({ control }) || control === 'free';
  const words = (
    <span className={styles.words}>
      <strong>{presser === null ? playbackSentences.paused : pausedBy(presser)}</strong>
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
