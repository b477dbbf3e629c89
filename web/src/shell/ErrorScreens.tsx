/** Screens in place of one that cannot be shown: its code is missing, the session did not load, or the address is unknown. */
import type { Refusal } from '@tunemate/protocol';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useApp } from '../app-context.ts';
import { sentenceOf } from '../copy/errors.ts';
import { shellCopy } from '../copy/shell.ts';
import type { Instead } from '../store/lazy-part.ts';
import { useReadable } from '../store/use-readable.ts';
import { Button, ButtonLink } from '../ui/buttons/Button.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import type { BandInk } from '../ui/inks.ts';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { ListPage } from '../ui/layout/ListPage.tsx';
import { usePageTitle } from './use-page-title.ts';

/**
 * The code of a screen could not be fetched. The rest of the page goes on, music included; opening the screen again,
 * or the next connection, fetches it again.
 */
export function MissingScreen({ onRetry }: Instead) {
  const isLive = useReadable(useApp().connection.status).status === 'live';
  const wasLive = useRef(isLive);
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    if (isLive && !wasLive.current) retry();
    wasLive.current = isLive;
  }, [isLive]);
  return (
    <AppLayout band="paper" title="Tunemate">
      <ListPage title={navigator.onLine ? shellCopy.unreachableTitle : shellCopy.offline}>
        <EmptyState tall message={shellCopy.missingLead} />
      </ListPage>
    </AppLayout>
  );
}

/** While the session could not be loaded. */
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

/** For unknown addresses. */
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
