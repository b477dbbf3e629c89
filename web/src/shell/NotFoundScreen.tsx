/** The screen for unknown addresses. */
import { shellCopy } from '../copy/shell.ts';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { ListPage } from '../ui/layout/ListPage.tsx';
import { ButtonLink } from '../ui/buttons/ButtonLink.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { usePageTitle } from './use-page-title.ts';

export function NotFoundScreen() {
  usePageTitle(shellCopy.notFoundTitle);
  return (
    <AppLayout band="persimmon" title="Tunemate">
      <ListPage title={shellCopy.notFoundTitle}>
        <EmptyState tall message={shellCopy.notFoundLead}>
          <ButtonLink href="/" variant="primary">
            {shellCopy.backToHome}
          </ButtonLink>
        </EmptyState>
      </ListPage>
    </AppLayout>
  );
}
