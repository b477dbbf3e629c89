/** The host's settings of a room: who comes in by themselves, what everybody may do, and whether a request is heard on this device. */
import type { Admission, RoomDocument } from '@tunemate/protocol';
import { useReadable } from '../../store/use-readable.ts';
import { Switch } from '../../ui/buttons/Switch.tsx';
import { Sheet } from '../../ui/dialogs/Sheet.tsx';
import { RadioRows } from '../../ui/fields/RadioRows.tsx';
import { admissionWords } from '../join/admission-words.ts';
import type { RequestSound } from '../requests/request-sound.ts';
import { RoomSwitches } from './RoomSwitches.tsx';
import styles from './RoomSettings.module.css';

export interface RoomSettingsProps {
  room: RoomDocument;
  admits: Admission;
  /** Settles when the server has answered. */
  onAdmits: (admits: Admission) => void;
  sound: RequestSound;
  onClose: () => void;
}

export function RoomSettings({ room, admits, onAdmits, sound, onClose }: RoomSettingsProps) {
  const isSoundOn = useReadable(sound.isOn);
  return (
    <Sheet title="Room settings" onClose={onClose}>
      <RadioRows title={admissionWords.title} rows={admissionWords.choices} value={admits} onChange={onAdmits} />
      <RoomSwitches room={room} />
      <section className={styles.device} aria-label="This device">
        <h3>This device</h3>
        <Switch label="A quiet sound for each request" checked={isSoundOn} onChange={(isOn) => sound.set(isOn)} />
      </section>
    </Sheet>
  );
}
