/** The account settings: name, password, receipts, devices, blocked people, data export, and deleting the account. */
import { useMemo } from 'react';
import { createAccountSettingsModel } from '../../accounts/account-settings-model.ts';
import { createFetchOwnData } from '../../accounts/fetch-own-data.ts';
import { useApp, useUser } from '../../app-context.ts';
import { accountSettingsCopy } from '../../accounts/account-settings-words.ts';
import { shellCopy } from '../../copy/shell.ts';
import { AppLayout } from '../../ui/layout/AppLayout.tsx';
import { ListPage } from '../../ui/layout/ListPage.tsx';
import { ButtonLink } from '../../ui/buttons/ButtonLink.tsx';
import styles from '../../accounts/Account.module.css';
import { BlockedPeople } from '../../accounts/BlockedPeople.tsx';
import { DeleteAccount } from '../../accounts/DeleteAccount.tsx';
import { NameForm } from '../../accounts/NameForm.tsx';
import { OwnData } from '../../accounts/OwnData.tsx';
import { PasswordForm } from '../../accounts/PasswordForm.tsx';
import { PushNews } from './PushNews.tsx';
import { ReadReceipts } from '../../accounts/ReadReceipts.tsx';
import { Sessions } from '../../accounts/Sessions.tsx';

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
