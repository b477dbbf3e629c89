/** The host's settings of a room: who comes in without approval, what guests may do, how often they write, and sounds. */
import type { Admission, RoomDocument, RoomSwitch, SlowSeconds } from '@tunemate/protocol';
import { useApp } from '../../app-context.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { Switch } from '../../ui/buttons/Switch.tsx';
import { Sheet } from '../../ui/dialogs/Sheet.tsx';
import { RadioRows } from '../../ui/fields/RadioRows.tsx';
import { requestSound } from '../requests/request-sound.ts';
import type { RequestsModel } from '../requests/requests-model.ts';
import { LockIcon } from '../../ui/icons/film-icons.tsx';
import { factsOf } from '../room-kinds.ts';
import { useAnswerOf } from '../../words/use-answer-of.ts';
import { RemoteSettings } from '../remote/RemoteSettings.tsx';
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
  const answerOf = useAnswerOf({ band: factsOf(room.kind).ink });
  const isSoundOn = useReadable(requestSound.isOn);
  return (
    <Sheet title={t`Room settings`} onClose={onClose}>
      <RemoteSettings room={room} />
      <RadioRows
        title={t`Who may come in without asking`}
        rows={admissions}
        value={admits}
        onChange={(chosen) => void answerOf(model.setAdmission(chosen))}
      />
      <Lock room={room} />
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

/** Its words say what a press does. */
function Lock({ room: { kind, code, isLocked } }: { room: RoomDocument }) {
  const { connection } = useApp();
  const answerOf = useAnswerOf({ band: factsOf(kind).ink });
  return (
    <div>
      <Button
        icon={<LockIcon />}
        onClick={() => void answerOf(connection.request('rooms/setLocked', { kind, code, isLocked: !isLocked }))}
      >
        {isLocked ? t`Unlock room` : t`Lock room`}
      </Button>
    </div>
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
  const answerOf = useAnswerOf({ band: factsOf(room.kind).ink });
  const { kind, code, slowSeconds } = room;
  const set = (chosen: 'off' | `${SlowSeconds}`): void => {
    const seconds = chosen === 'off' ? null : (Number(chosen) as SlowSeconds);
    void answerOf(connection.request('rooms/slowChat', { kind, code, seconds }));
  };
  return (
    <RadioRows
      title={t`How often each guest may write`}
      rows={everyMessage}
      value={typeof slowSeconds !== 'number' ? 'off' : `${slowSeconds}`}
      onChange={set}
    />
  );
}

function RoomSwitches({ room }: { room: RoomDocument }) {
  const { connection } = useApp();
  const answerOf = useAnswerOf({ band: factsOf(room.kind).ink });
  const { kind, code } = room;
  return (
    <section className={styles.device} aria-label={t`Everybody in the room`}>
      {switches.map(({ name, label, detail }) => (
        <Switch
          key={name}
          label={label}
          detail={detail}
          checked={room[name]}
          onChange={(isOn) => void answerOf(connection.request('rooms/setSwitch', { kind, code, name, isOn }))}
        />
      ))}
    </section>
  );
}
