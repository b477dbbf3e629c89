/** The host's settings of a room: who comes in without approval, what guests may do, how often they write, and sounds. */
import type { Admission, RoomDocument, RoomSwitch, SlowSeconds } from '@tunemate/protocol';
import { useApp } from '../../app-context.ts';
import { sentenceOf } from '../../words/errors.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Switch } from '../../ui/buttons/Switch.tsx';
import { Sheet } from '../../ui/dialogs/Sheet.tsx';
import { useModals } from '../../ui/dialogs/modals.ts';
import { RadioRows } from '../../ui/fields/RadioRows.tsx';
import { requestSound } from '../requests/request-sound.ts';
import type { RequestsModel } from '../requests/requests-model.ts';
import { factsOf } from '../room-kinds.ts';
import styles from './RoomSettings.module.css';
import { t } from '../../language/t.ts';

interface RoomSettingsProps {
  room: RoomDocument;
  admits: Admission;
  model: RequestsModel;
  onClose: () => void;
}

const admissions: { value: Admission; label: string; detail?: string }[] = [
  { value: 'nobody', label: t`Nobody`, detail: t`You approve everyone` },
  { value: 'friends', label: t`My soulmate and tunemates` },
  { value: 'invited', label: t`People I invited` },
  { value: 'everybody', label: t`Everybody with the link` },
];

export function RoomSettings({ room, admits, model, onClose }: RoomSettingsProps) {
  const modals = useModals();
  const isSoundOn = useReadable(requestSound.isOn);
  const setAdmission = async (chosen: Admission): Promise<void> => {
    const result = await model.setAdmission(chosen);
    if (!result.ok) await modals.ok(sentenceOf(result.error), { band: factsOf(room.kind).ink });
  };
  return (
    <Sheet title={t`Room settings`} onClose={onClose}>
      <RadioRows
        title={t`Who may come in without asking`}
        rows={admissions}
        value={admits}
        onChange={(chosen) => void setAdmission(chosen)}
      />
      <RoomSwitches room={room} />
      <SlowChat room={room} />
      <section className={styles.device} aria-label={t`This device`}>
        <h3>{t`This device`}</h3>
        <Switch
          label={t`A quiet sound for each request`}
          checked={isSoundOn}
          onChange={(isOn) => requestSound.set(isOn)}
        />
      </section>
    </Sheet>
  );
}

const switches: readonly { name: RoomSwitch; label: string; detail: string }[] = [
  {
    name: 'everyoneAdds',
    label: t`Everyone can add`,
    detail: t`Proposals go to the end of the queue, five each`,
  },
  {
    name: 'majoritySkips',
    label: t`Skip at a majority`,
    detail: t`More than half of the guests who are here skip a track`,
  },
];

const everyMessage: { value: 'off' | `${SlowSeconds}`; label: string }[] = [
  { value: 'off', label: t`As often as they like` },
  { value: '5', label: t`Every 5 seconds` },
  { value: '15', label: t`Every 15 seconds` },
  { value: '60', label: t`Once a minute` },
];

function SlowChat({ room }: { room: RoomDocument }) {
  const { connection } = useApp();
  const modals = useModals();
  const { kind, code, slowSeconds } = room;
  const set = async (chosen: 'off' | `${SlowSeconds}`): Promise<void> => {
    const seconds = chosen === 'off' ? null : (Number(chosen) as SlowSeconds);
    const answer = await connection.request('rooms/slowChat', { kind, code, seconds });
    if (!answer.ok) await modals.ok(sentenceOf(answer.error), { band: factsOf(kind).ink });
  };
  return (
    <RadioRows
      title={t`How often each guest may write`}
      rows={everyMessage}
      value={typeof slowSeconds !== 'number' ? 'off' : `${slowSeconds}`}
      onChange={(chosen) => void set(chosen)}
    />
  );
}

function RoomSwitches({ room }: { room: RoomDocument }) {
  const { connection } = useApp();
  const modals = useModals();
  const { kind, code } = room;
  const set = async (name: RoomSwitch, isOn: boolean): Promise<void> => {
    const answer = await connection.request('rooms/setSwitch', { kind, code, name, isOn });
    if (!answer.ok) await modals.ok(sentenceOf(answer.error), { band: factsOf(kind).ink });
  };
  return (
    <section className={styles.device} aria-label={t`Everybody in the room`}>
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
