/** The host's settings of a room, as `settingWords` names them, the address in its links, and the sounds of this device. */
import type { HostSettings, RoomDocument, RoomSettings as Settings, SettingsPatch } from '@tunemate/protocol';
import { useApp } from '../../app-context.ts';
import { linkChoices } from '../../store/link-address.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { Switch } from '../../ui/buttons/Switch.tsx';
import { Sheet } from '../../ui/dialogs/Sheet.tsx';
import { RadioRows } from '../../ui/fields/RadioRows.tsx';
import { useChoice } from '../../ui/fields/use-choice.ts';
import { requestSound } from '../requests/request-sound.ts';
import { LockIcon } from '../../ui/icons/film-icons.tsx';
import { factsOf } from '../room-kinds.ts';
import { useAnswerOf } from '../../words/use-answer-of.ts';
import { LinkAddress } from '../join/LinkAddress.tsx';
import { LentTo } from '../remote/LentTo.tsx';
import { type SettableName, type SettingWords, settingWords } from './setting-words.ts';
import styles from './RoomSettings.module.css';
import { t } from '../../language/t.ts';

interface RoomSettingsProps {
  room: RoomDocument;
  /** Those which only the host sees. */
  own: HostSettings;
  onClose: () => void;
}

type Value = Settings[SettableName];

const names = Object.keys(settingWords) as SettableName[];
const switches = names.filter((name) => settingWords[name].form === 'switch');

export function RoomSettings({ room, own, onClose }: RoomSettingsProps) {
  const { connection } = useApp();
  const { kind, code } = room;
  const answerOf = useAnswerOf({ band: factsOf(kind).ink });
  const hasAddresses = useReadable(linkChoices).length > 1;
  const isSoundOn = useReadable(requestSound.isOn);
  const values = { ...room, ...own };
  const rowOf = (name: SettableName) => {
    const set = (value: Value) => {
      const settings = Object.fromEntries([[name, value]]) as SettingsPatch;
      const asked = connection.request('rooms/set', { kind, code, settings });
      void answerOf(asked);
      return asked;
    };
    return <Setting key={name} words={settingWords[name]} stored={values[name]} onSet={set} />;
  };
  return (
    <Sheet title={t`Room settings`} onClose={onClose}>
      {names.map((name) => {
        if (name === 'remoteUse') return [rowOf(name), <LentTo key="lent" room={room} />];
        if (!switches.includes(name)) return rowOf(name);
        return (
          name === switches[0] && (
            <section key="switches" className={styles.device} aria-label={t`Everybody in the room`}>
              {switches.map(rowOf)}
            </section>
          )
        );
      })}
      {hasAddresses && <LinkAddress canChoose />}
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

interface SettingProps {
  words: SettingWords;
  /** As the server has it. */
  stored: Value;
  onSet: (value: Value) => Promise<unknown>;
}

function Setting({ words, stored, onSet }: SettingProps) {
  const [value, set] = useChoice(stored, onSet);
  if (words.form === 'switch')
    return <Switch label={words.label} detail={words.detail} checked={value === true} onChange={set} />;
  if (words.form === 'press')
    return (
      <div>
        <Button icon={<LockIcon />} onClick={() => set(value !== true)}>
          {value === true ? words.whenOn : words.whenOff}
        </Button>
      </div>
    );
  return (
    <RadioRows
      title={words.title}
      rows={words.rows.map((row) => ({ ...row, value: String(row.value) }))}
      value={String(value)}
      onChange={(chosen) => {
        const row = words.rows.find((each) => String(each.value) === chosen);
        if (row) set(row.value);
      }}
    />
  );
}
