/** Instead of what two people heard, for a page of a person who is neither a tunemate nor the soulmate. */
import { BackToHome } from '../shell/BackToHome.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ListPage } from '../ui/layout/ListPage.tsx';
import { musicWords as words } from './music-words.ts';

export const NotYours = () => (
  <ListPage title={words.title} action={<BackToHome variant="ghost" />}>
    <EmptyState message={words.notYours} />
  </ListPage>
);
