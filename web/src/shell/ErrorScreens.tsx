/** Screens in place of one that cannot be shown: its code is missing, the session did not load, or the address is unknown. */
import type { Refusal } from '@tunemate/protocol';
import { useEffect, useEffectEvent } from 'react';
import { useApp } from '../app-context.ts';
import { needsReload } from '../app.ts';
import { sentenceOf } from '../words/errors.ts';
import { causes, reloadWords, shellWords } from '../words/shell.ts';
import { type Instead, lazyPart } from '../store/lazy-part.ts';
import { useReadable } from '../store/use-readable.ts';
import { Button, ButtonLink } from '../ui/buttons/Button.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import type { BandInk } from '../ui/inks.ts';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { usePageTitle } from './use-page-title.ts';
import { t } from '../language/t.ts';

/**
 * The code of a screen could not be fetched. The rest of the page goes on, music included. It is fetched again once it
 * can be, and when the screen is opened again; a part that the server does not have is gone after an update.
 */
export function MissingScreen({ onRetry }: Instead) {
  const reach = useReadable(useApp().lostPart);
  const title = navigator.onLine ? shellWords.unreachableTitle : shellWords.offline;
  return (
    <AppLayout band="paper" title="Tunemate">
      {needsReload(reach) ? (
        <EmptyState title={shellWords.notOpenedTitle} message={reloadWords[reach]}>
          <Button variant="primary" onClick={() => location.reload()}>
            {shellWords.reload}
          </Button>
        </EmptyState>
      ) : (
        <EmptyState title={title} message={(reach && causes[reach]) ?? shellWords.missingLead}>
          <Button variant="primary" onClick={onRetry}>
            {shellWords.tryAgain}
          </Button>
        </EmptyState>
      )}
    </AppLayout>
  );
}

interface UnreachableProps {
  title: string;
  /** Left out where the server does not answer. */
  message?: string | undefined;
  onTry: () => Promise<void>;
}

/** Of few words, because the code of a better one may not be on this device. */
function Unreachable({ title, message = t`Back in step as soon as you reconnect.`, onTry }: UnreachableProps) {
  const tryAgain = useEffectEvent(onTry);
  useEffect(() => {
    const timer = setInterval(() => void tryAgain(), 5000 + Math.random() * 5000);
    return () => clearInterval(timer);
  }, []);
  return (
    <EmptyState title={title} message={message}>
      <Button variant="primary" onClick={() => void onTry()}>
        {shellWords.tryAgain}
      </Button>
    </EmptyState>
  );
}

const NoConnection = lazyPart(async () => (await import('./NoConnection.tsx')).NoConnection, Unreachable);

/** While the session could not be loaded. Asks again by itself, not at one moment with all other pages. */
export function UnreachableScreen({ band, refusal }: { band: BandInk; refusal: Refusal }) {
  const { session } = useApp();
  const isAway = refusal.code === 'server/unavailable';
  const away = {
    title: navigator.onLine ? shellWords.unreachableTitle : shellWords.offline,
    onTry: () => session.load('quietly'),
  };
  return (
    <AppLayout band={band} title="Tunemate">
      {isAway ? (
        <NoConnection {...away} fallback={<Unreachable {...away} />} />
      ) : (
        <Unreachable {...away} title={shellWords.notOpenedTitle} message={sentenceOf(refusal)} />
      )}
    </AppLayout>
  );
}

/** For unknown addresses. */
export function NotFoundScreen() {
  usePageTitle(shellWords.notFoundTitle);
  return (
    <AppLayout band="persimmon" title="Tunemate">
      <EmptyState title={shellWords.notFoundTitle} message={t`This address leads nowhere.`}>
        <ButtonLink href="/" variant="primary">
          {shellWords.backToHome}
        </ButtonLink>
      </EmptyState>
    </AppLayout>
  );
}
