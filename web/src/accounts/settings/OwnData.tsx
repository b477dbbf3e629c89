/** Exports all data that is stored about the current user, as a file. */
import type { AccountSettingsModel } from './account-settings-model.ts';
import { saveFile } from './save-file.ts';
import { accountSettingsCopy, exportInstead } from './account-settings-words.ts';
import { useBusy } from '../../store/use-busy.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import styles from './Account.module.css';
import { useShowRefusal } from '../use-show-refusal.ts';

export function OwnData({ accountSettings }: { accountSettings: AccountSettingsModel }) {
  const { isBusy, run } = useBusy();
  const showRefusal = useShowRefusal();
  async function save(): Promise<void> {
    const answer = await accountSettings.exportAll();
    if (answer.ok) saveFile(accountSettingsCopy.exportFile, answer.value);
    else await showRefusal(answer.error, exportInstead(answer.error));
  }
  return (
    <Section title={accountSettingsCopy.dataTitle} flush>
      <p className={styles.hint}>{accountSettingsCopy.dataHint}</p>
      <ButtonGroup inline>
        <Button busy={isBusy} onClick={() => run(save)}>
          {accountSettingsCopy.export}
        </Button>
      </ButtonGroup>
    </Section>
  );
}
