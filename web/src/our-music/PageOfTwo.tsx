/** Pages of two people's music, and what a page shows instead where the other is neither a tunemate nor the soulmate. */
import type { UserCard } from '@tunemate/protocol';
import type { ReactElement } from 'react';
import { useApp } from '../app-context.ts';
import { BackToHome } from '../shell/BackToHome.tsx';
import { useReadable } from '../store/use-readable.ts';
import { ButtonLink } from '../ui/buttons/Button.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { LoadingScreen } from '../ui/feedback/LoadingScreen.tsx';
import { BackIcon } from '../ui/icons/icons.tsx';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { BackOnBand } from '../ui/layout/BackOnBand.tsx';
import { ListPage } from '../ui/layout/ListPage.tsx';
import { useWideScreen } from '../ui/layout/use-wide-screen.ts';
import { musicWords as words } from './music-words.ts';
import { useOther } from './use-music.ts';
import { t } from '../language/t.ts';

export const NotYours = () => (
  <ListPage title={words.title} action={<BackToHome variant="ghost" />}>
    <EmptyState message={t`Our music is for tunemates and soulmates.`} />
  </ListPage>
);

const musicPath = (uid: string): string => `/our-music/${uid}`;

/** Its words stand where those of the page do. */
const flush = { justifySelf: 'start', marginInlineStart: '-14px' } as const;

/** On phones the band has it. */
export function BackToMusic({ uid }: { uid: string }) {
  if (!useWideScreen()) return null;
  return (
    <ButtonLink href={musicPath(uid)} variant="ghost" small icon={<BackIcon size={18} />} style={flush}>
      {words.title}
    </ButtonLink>
  );
}

/** The page of `uid` and the user, once the user's lists say who that is. */
export function PageOfTwo({ uid, children }: { uid: string; children: (other: UserCard) => ReactElement }) {
  const other = useOther(uid);
  const isLoading = useReadable(useApp().tunemates.tunemates) === null;
  return (
    <AppLayout band="blush" title={words.title} lead={<BackOnBand href={musicPath(uid)} />}>
      {other !== null ? children(other) : isLoading ? <LoadingScreen /> : <NotYours />}
    </AppLayout>
  );
}
