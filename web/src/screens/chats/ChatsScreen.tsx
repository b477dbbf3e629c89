/** The list of private conversations. There are none yet, and it says so. */
import { homeWords } from '../../copy/home.ts';
import { chatWords } from '../../copy/people.ts';
import { AppFrame } from '../../ui/frame/AppFrame.tsx';
import { ListPage } from '../../ui/frame/ListPage.tsx';
import { ButtonLink } from '../../ui/keys/ButtonLink.tsx';
import { EmptyState } from '../../ui/notices/EmptyState.tsx';

export function ChatsScreen() {
  return (
    <AppFrame band="celadon" title={chatWords.bandTitle}>
      <ListPage title={chatWords.listTitle}>
        <EmptyState tall message={chatWords.empty} hint={chatWords.emptyHint}>
          <ButtonLink href="/" variant="primary">
            {homeWords.backToHome}
          </ButtonLink>
        </EmptyState>
      </ListPage>
    </AppFrame>
  );
}
