/** The screen for unknown addresses. */
import { homeCopy } from '../copy/home.ts';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { ListPage } from '../ui/layout/ListPage.tsx';
import { ButtonLink } from '../ui/buttons/ButtonLink.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { usePageTitle } from './use-page-title.ts';

export function NotFoundScreen() {
  usePageTitle(homeCopy.notFoundTitle);
  return (
    <AppLayout band="persimmon" title="Tunemate">
      <ListPage title={homeCopy.notFoundTitle}>
        <EmptyState tall message={homeCopy.notFoundLead}>
          <ButtonLink href="/" variant="primary">
            {homeCopy.backToHome}
          </ButtonLink>
        </EmptyState>
      </ListPage>
    </AppLayout>
  );
}
