/** Pages of two people's music, and what a page shows instead where the other is neither a tunemate nor the soulmate. */
import type { UserCard } from '@tunemate/protocol';
import type { ReactElement } from 'react';
import { useApp } from '../app-context.ts';
import { BackToHome } from '../shell/BackToHome.tsx';
import { useReadable } from '../store/use-readable.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { LoadingScreen } from '../ui/feedback/LoadingScreen.tsx';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { ListPage } from '../ui/layout/ListPage.tsx';
import { musicWords as words } from './music-words.ts';
import { useOther } from './use-music.ts';
import { t } from '../language/t.ts';

export const NotYours = () => (
  <ListPage title={words.title} action={<BackToHome variant="ghost" />}>
    <EmptyState message={t`Our music is for tunemates and soulmates.`} />
  </ListPage>
);

/** The page of `uid` and the user, once the user's lists say who that is. */
export function PageOfTwo({ uid, children }: { uid: string; children: (other: UserCard) => ReactElement }) {
  const other = useOther(uid);
  const isLoading = useReadable(useApp().tunemates.tunemates) === null;
  return (
    <AppLayout band="blush" title={words.title}>
      {other !== null ? children(other) : isLoading ? <LoadingScreen /> : <NotYours />}
    </AppLayout>
  );
}
