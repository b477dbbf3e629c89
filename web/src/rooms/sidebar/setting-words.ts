/** The words of the settings that a host may change, in the order of the form. */
import type { RoomSettings, SettingsPatch } from '@tunemate/protocol';
import { t } from '../../language/t.ts';

interface ChoiceWords<Value> {
  readonly form: 'choice';
  readonly title: string;
  readonly rows: readonly { readonly value: Value; readonly label: string; readonly detail?: string }[];
}

/** A button whose words say what a press does. */
interface PressWords {
  readonly form: 'press';
  readonly whenOff: string;
  readonly whenOn: string;
}

/** Switches stand together, where the first of them is. */
interface SwitchWords {
  readonly form: 'switch';
  readonly label: string;
  readonly detail: string;
}

type WordsOf<Value> = [Value] extends [boolean] ? PressWords | SwitchWords : ChoiceWords<Value>;

export type SettableName = keyof SettingsPatch;
export type SettingWords = PressWords | SwitchWords | ChoiceWords<RoomSettings[SettableName]>;

export const settingWords: { readonly [Name in SettableName]: WordsOf<RoomSettings[Name]> } = {
  remoteUse: {
    form: 'choice',
    title: t`Who may control`,
    rows: [
      { value: 'host', label: t`Only me`, detail: t`Nobody else has keys` },
      { value: 'lent', label: t`People I lend it to`, detail: t`From a person’s sheet, one by one` },
      { value: 'everyone', label: t`Everyone here`, detail: t`Everybody plays, pauses and chooses` },
    ],
  },
  admits: {
    form: 'choice',
    title: t`Who may come in without asking`,
    rows: [
      { value: 'nobody', label: t`Nobody`, detail: t`You approve everyone` },
      { value: 'friends', label: t`My soulmate and tunemates` },
      { value: 'invited', label: t`People I invited` },
      { value: 'everybody', label: t`Everybody with the link` },
    ],
  },
  isLocked: { form: 'press', whenOff: t`Lock room`, whenOn: t`Unlock room` },
  everyoneAdds: {
    form: 'switch',
    label: t`Everyone can add`,
    detail: t`Proposals go to the end of the queue, five each`,
  },
  majoritySkips: {
    form: 'switch',
    label: t`Skip at a majority`,
    detail: t`More than half of the guests who are here skip a track`,
  },
  friendsSee: {
    form: 'switch',
    label: t`Friends of people here see that this room plays`,
    detail: t`Off: neither the room nor its track is shown of anybody in it`,
  },
  slowSeconds: {
    form: 'choice',
    title: t`How often each guest may write`,
    rows: [
      { value: null, label: t`As often as they like` },
      { value: 5, label: t`Every 5 seconds` },
      { value: 15, label: t`Every 15 seconds` },
      { value: 60, label: t`Once a minute` },
    ],
  },
};
