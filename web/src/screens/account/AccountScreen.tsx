/** Looking after one's account: name, password, receipts, devices, blocked people, data, and leaving for good. */
import { useMemo } from 'react';
import { createCareModel } from '../../accounts/care-model.ts';
import { createFetchOwnData } from '../../accounts/fetch-own-data.ts';
import { useApp, useUser } from '../../app-context.ts';
import { careWords } from '../../accounts/care-words.ts';
import { homeWords } from '../../copy/home.ts';
import { AppFrame } from '../../ui/frame/AppFrame.tsx';
import { ListPage } from '../../ui/frame/ListPage.tsx';
import { ButtonLink } from '../../ui/keys/ButtonLink.tsx';
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
  const care = useMemo(
    () => createCareModel(callRoute, connection, createFetchOwnData(fetch)),
    [callRoute, connection, fetch],
  );
  return (
    <AppFrame band="persimmon" title={careWords.title}>
      <ListPage
        title={careWords.title}
        action={
          <ButtonLink href="/" variant="ghost">
            {homeWords.backToHome}
          </ButtonLink>
        }
      >
        <div className={styles.stack}>
          <NameForm care={care} user={user} />
          <PasswordForm care={care} user={user} />
          <ReadReceipts care={care} user={user} />
          <PushNews />
          <Sessions care={care} />
          <BlockedPeople care={care} />
          <OwnData care={care} />
          <DeleteAccount />
        </div>
      </ListPage>
    </AppFrame>
  );
}
