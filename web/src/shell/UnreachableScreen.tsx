/** The server did not say who is here; so nothing can be shown yet. */
import type { Refusal } from '@tunemate/protocol';
import { useApp } from '../app-context.ts';
import { homeWords } from '../copy/home.ts';
import { sentenceOf } from '../copy/sentences.ts';
import { AppFrame } from '../ui/frame/AppFrame.tsx';
import { ListPage } from '../ui/frame/ListPage.tsx';
import type { BandInk } from '../ui/inks.ts';
import { Button } from '../ui/keys/Button.tsx';
import { EmptyState } from '../ui/notices/EmptyState.tsx';

export function UnreachableScreen({ band, refusal }: { band: BandInk; refusal: Refusal }) {
  const { session } = useApp();
  const isAway = refusal.code === 'server/unavailable';
  const awayTitle = navigator.onLine ? homeWords.unreachableTitle : homeWords.offline;
  return (
    <AppFrame band={band} title="Tunemate">
      <ListPage title={isAway ? awayTitle : homeWords.notOpenedTitle}>
        <EmptyState tall message={isAway ? homeWords.unreachableLead : sentenceOf(refusal)}>
          <Button variant="primary" onClick={() => void session.load()}>
            {homeWords.tryAgain}
          </Button>
        </EmptyState>
      </ListPage>
    </AppFrame>
  );
}
