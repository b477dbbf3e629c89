/** The account settings: name, password, receipts, devices, blocked people, data export, and deleting the account. */
import { useMemo } from 'react';
import { createAccountSettingsModel } from './account-settings-model.ts';
import { createFetchOwnData } from './fetch-own-data.ts';
import { useApp, useUser } from '../../app-context.ts';
import { accountSettingsCopy } from './account-settings-words.ts';
import { shellCopy } from '../../copy/shell.ts';
import { AppLayout } from '../../ui/layout/AppLayout.tsx';
import { ListPage } from '../../ui/layout/ListPage.tsx';
import { ButtonLink } from '../../ui/buttons/ButtonLink.tsx';
import styles from './Account.module.css';
import { BlockedPeople } from './BlockedPeople.tsx';
import { DeleteAccount } from './DeleteAccount.tsx';
import { NameForm } from './NameForm.tsx';
import { OwnData } from './OwnData.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { PushNews } from './PushSettings.tsx';
import { ReadReceipts } from './ReadReceipts.tsx';
import { Sessions } from './Sessions.tsx';

export function AccountScreen() {
  const { callRoute, connection, fetch } = useApp();
  const user = useUser();
  const accountSettings = useMemo(
    () => createAccountSettingsModel(callRoute, connection, createFetchOwnData(fetch)),
    [callRoute, connection, fetch],
  );
  return (
    <AppLayout band="persimmon" title={accountSettingsCopy.title}>
      <ListPage
        title={accountSettingsCopy.title}
        action={
          <ButtonLink href="/" variant="ghost">
            {shellCopy.backToHome}
          </ButtonLink>
        }
      >
        <div className={styles.stack}>
          <NameForm accountSettings={accountSettings} user={user} />
          <PasswordForm accountSettings={accountSettings} user={user} />
          <ReadReceipts accountSettings={accountSettings} user={user} />
          <PushNews />
          <Sessions accountSettings={accountSettings} />
          <BlockedPeople accountSettings={accountSettings} />
          <OwnData accountSettings={accountSettings} />
          <DeleteAccount />
        </div>
      </ListPage>
    </AppLayout>
  );
}
