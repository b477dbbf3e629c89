/** An address that is none of ours. */
import { homeWords } from '../copy/home.ts';
import { AppFrame } from '../ui/frame/AppFrame.tsx';
import { ListPage } from '../ui/frame/ListPage.tsx';
import { ButtonLink } from '../ui/keys/ButtonLink.tsx';
import { EmptyState } from '../ui/notices/EmptyState.tsx';
import { usePageTitle } from './use-page-title.ts';

export function NotFoundScreen() {
  usePageTitle(homeWords.notFoundTitle);
  return (
    <AppFrame band="persimmon" title="Tunemate">
      <ListPage title={homeWords.notFoundTitle}>
        <EmptyState tall message={homeWords.notFoundLead}>
          <ButtonLink href="/" variant="primary">
            {homeWords.backToHome}
          </ButtonLink>
        </EmptyState>
      </ListPage>
    </AppFrame>
  );
}
