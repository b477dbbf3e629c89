/** In place of a screen whose code could not be fetched. The rest of the page goes on, music included; opening the screen
   again, or the next connection, asks for it anew. */
import { useEffect, useEffectEvent, useRef } from 'react';
import { useApp } from '../app-context.ts';
import { shellCopy } from '../copy/shell.ts';
import type { Instead } from '../store/lazy-part.ts';
import { useReadable } from '../store/use-readable.ts';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { ListPage } from '../ui/layout/ListPage.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';

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
