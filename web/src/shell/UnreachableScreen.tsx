/** The server did not say who is here; so nothing can be shown yet. */
import { useApp } from '../app-context.ts';
import { homeWords } from '../copy/home.ts';
import { AppFrame } from '../ui/frame/AppFrame.tsx';
import { ListPage } from '../ui/frame/ListPage.tsx';
import type { BandInk } from '../ui/inks.ts';
import { Button } from '../ui/keys/Button.tsx';
import { EmptyState } from '../ui/notices/EmptyState.tsx';

export function UnreachableScreen({ band }: { band: BandInk }) {
  const { session } = useApp();
  const title = navigator.onLine ? homeWords.unreachableTitle : homeWords.offline;
  return (
    <AppFrame band={band} title="Tunemate">
      <ListPage title={title}>
        <EmptyState tall message={homeWords.unreachableLead}>
          <Button variant="primary" onClick={() => void session.load()}>
            {homeWords.tryAgain}
          </Button>
        </EmptyState>
      </ListPage>
    </AppFrame>
  );
}
