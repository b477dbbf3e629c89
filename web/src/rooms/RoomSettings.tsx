/** The host's settings of a room: who comes in by themselves, and whether a request is heard on this device. */
import type { Admission } from '@tunemate/protocol';
import { useReadable } from '../store/use-readable.ts';
import { Switch } from '../ui/buttons/Switch.tsx';
import { Sheet } from '../ui/dialogs/Sheet.tsx';
import { admissionWords } from './admission-words.ts';
import type { RequestSound } from './request-sound.ts';
import styles from './RoomSettings.module.css';

export interface RoomSettingsProps {
  admits: Admission;
  /** Settles when the server has answered. */
  onAdmits: (admits: Admission) => void;
  sound: RequestSound;
  onClose: () => void;
}

export function RoomSettings({ admits, onAdmits, sound, onClose }: RoomSettingsProps) {
  const isSoundOn = useReadable(sound.isOn);
  return (
    <Sheet title="Room settings" onClose={onClose}>
      <fieldset className={styles.choices}>
        <legend>{admissionWords.title}</legend>
        {admissionWords.choices.map(({ value, label, ...more }) => (
          <label key={value} className={styles.choice}>
            <input type="radio" name="admits" checked={admits === value} onChange={() => onAdmits(value)} />
            <span>
              {label}
              {'detail' in more && <small>{more.detail}</small>}
            </span>
          </label>
        ))}
      </fieldset>
      <section className={styles.device} aria-label="This device">
        <h3>This device</h3>
        <Switch label="A quiet sound for each request" checked={isSoundOn} onChange={(isOn) => sound.set(isOn)} />
      </section>
    </Sheet>
  );
}
