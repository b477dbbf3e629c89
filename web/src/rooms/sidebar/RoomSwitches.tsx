/** What the host allows everybody in the room. */
import type { RoomDocument, RoomSwitch } from '@tunemate/protocol';
import { useApp } from '../../app-context.ts';
import { sentenceOf } from '../../copy/errors.ts';
import { Switch } from '../../ui/buttons/Switch.tsx';
import { useModals } from '../../ui/dialogs/modals.ts';
import { factsOf } from '../room-kinds.ts';
import styles from './RoomSettings.module.css';

const switches: readonly { name: RoomSwitch; label: string; detail: string }[] = [
  {
    name: 'everyoneAdds',
    label: 'Everyone can add',
    detail: 'Proposals go to the end of the queue, five each',
  },
  {
    name: 'majoritySkips',
    label: 'Skip at a majority',
    detail: 'More than half of the guests who are here skip a track',
  },
];

export function RoomSwitches({ room }: { room: RoomDocument }) {
  const { connection } = useApp();
  const modals = useModals();
  const { kind, code } = room;
  const set = async (name: RoomSwitch, isOn: boolean): Promise<void> => {
    const answer = await connection.request('rooms/setSwitch', { kind, code, name, isOn });
    if (!answer.ok) await modals.ok(sentenceOf(answer.error), { band: factsOf(kind).ink });
  };
  return (
    <section className={styles.device} aria-label="Everybody in the room">
      {switches.map(({ name, label, detail }) => (
        <Switch
          key={name}
          label={label}
          detail={detail}
          checked={room[name]}
          onChange={(isOn) => void set(name, isOn)}
        />
      ))}
    </section>
  );
}
