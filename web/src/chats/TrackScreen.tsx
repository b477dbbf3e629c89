/** The page of a link to a track of the library, for a link that is opened by itself: the card that a message shows. */
import { trackOfPath } from '@tunemate/protocol';
import { usePath } from '../store/address.ts';
import { t } from '../language/t.ts';
import { BackToHome } from '../shell/BackToHome.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { ListPage } from '../ui/layout/ListPage.tsx';
import { TrackCard } from './cards/TrackCard.tsx';

export function TrackScreen() {
  const path = usePath();
  const videoId = trackOfPath(path);
  return (
    <AppLayout band="celadon" title="Tunemate">
      <ListPage title={t`A track of the library`} action={<BackToHome variant="ghost" />}>
        {videoId === null ? (
          <EmptyState message={t`This link names no track`} />
        ) : (
          <TrackCard videoId={videoId} listener={null} />
        )}
      </ListPage>
    </AppLayout>
  );
}
