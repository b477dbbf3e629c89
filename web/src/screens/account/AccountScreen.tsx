/** Looking after one's account: name, password, receipts, devices, blocked people, data, and leaving for good. */
import { useMemo } from 'react';
import { createCareModel } from '../../account-care/care-model.ts';
import { createFetchOwnData } from '../../account-care/fetch-own-data.ts';
import { useApp, useUser } from '../../app-context.ts';
import { careWords } from '../../copy/account-care.ts';
import { homeWords } from '../../copy/home.ts';
import { AppFrame } from '../../ui/frame/AppFrame.tsx';
import { ListPage } from '../../ui/frame/ListPage.tsx';
import { ButtonLink } from '../../ui/keys/ButtonLink.tsx';
import styles from './Account.module.css';
import { BlockedPeople } from './BlockedPeople.tsx';
import { DeleteAccount } from './DeleteAccount.tsx';
import { NameForm } from './NameForm.tsx';
import { OwnData } from './OwnData.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { PushNews } from './PushNews.tsx';
import { ReadReceipts } from './ReadReceipts.tsx';
import { Sessions } from './Sessions.tsx';

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
