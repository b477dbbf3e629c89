/** The host's choice of what an audio room does when a track ends. */
import type { AfterTrack as Choice } from '@tunemate/protocol';
import { useId } from 'react';
import { useReadable } from '../../store/use-readable.ts';
import styles from './AfterTrack.module.css';
import type { PlaybackModel } from '../playback-model.ts';
import { t } from '../../language/t.ts';

const choices: readonly { value: Choice; label: string }[] = [
  { value: 'stop', label: t`Stop` },
  { value: 'queue', label: t`Play the queue` },
  { value: 'suggested', label: t`Go on with Suggested` },
];

export function AfterTrack({ model }: { model: PlaybackModel }) {
  const { playing } = useReadable(model.view);
  const id = useId();
  return (
    <div className={styles.line} role="radiogroup" aria-labelledby={id}>
      <span id={id}>{t`After the track`}</span>
      <div className={styles.parts}>
        {choices.map(({ value, label }) => (
          <label key={value}>
            <input
              type="radio"
              name={id}
              checked={playing.afterTrack === value}
              onChange={() => model.host.setAfterTrack(value)}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
    </div>
  );
}
