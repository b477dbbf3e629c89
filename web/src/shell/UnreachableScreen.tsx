/** The screen while the session could not be loaded. */
import type { Refusal } from '@tunemate/protocol';
import { useApp } from '../app-context.ts';
import { homeCopy } from '../copy/home.ts';
import { sentenceOf } from '../copy/errors.ts';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { ListPage } from '../ui/layout/ListPage.tsx';
import type { BandInk } from '../ui/inks.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';

export function UnreachableScreen({ band, refusal }: { band: BandInk; refusal: Refusal }) {
  const { session } = useApp();
  const isAway = refusal.code === 'server/unavailable';
  const awayTitle = navigator.onLine ? homeCopy.unreachableTitle : homeCopy.offline;
  return (
    <AppLayout band={band} title="Tunemate">
      <ListPage title={isAway ? awayTitle : homeCopy.notOpenedTitle}>
        <EmptyState tall message={isAway ? homeCopy.unreachableLead : sentenceOf(refusal)}>
          <Button variant="primary" onClick={() => void session.load()}>
            {homeCopy.tryAgain}
          </Button>
        </EmptyState>
      </ListPage>
    </AppLayout>
  );
}
