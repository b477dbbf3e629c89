/** The screen while the session could not be loaded. */
import type { Refusal } from '@tunemate/protocol';
import { useApp } from '../app-context.ts';
import { shellCopy } from '../copy/shell.ts';
import { sentenceOf } from '../copy/errors.ts';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { ListPage } from '../ui/layout/ListPage.tsx';
import type { BandInk } from '../ui/inks.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';

export function UnreachableScreen({ band, refusal }: { band: BandInk; refusal: Refusal }) {
  const { session } = useApp();
  const isAway = refusal.code === 'server/unavailable';
  const awayTitle = navigator.onLine ? shellCopy.unreachableTitle : shellCopy.offline;
  return (
    <AppLayout band={band} title="Tunemate">
      <ListPage title={isAway ? awayTitle : shellCopy.notOpenedTitle}>
        <EmptyState tall message={isAway ? shellCopy.unreachableLead : sentenceOf(refusal)}>
          <Button variant="primary" onClick={() => void session.load()}>
            {shellCopy.tryAgain}
          </Button>
        </EmptyState>
      </ListPage>
    </AppLayout>
  );
}
