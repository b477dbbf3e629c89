/**
 * Everything around the screens: models, modals, toasts, the skip link, the notices of a lost connection or a wrong
 * address, and the boundary for crashes.
 */
import { Component, type ReactNode, Suspense } from 'react';
import { matchRoute, useLocation, useRouter } from 'wouter';
import { AppContext, useApp } from '../app-context.ts';
import type { App } from '../app.ts';
import { shellWords } from '../words/shell.ts';
import { unreadCount } from '../notifications/notifications-model.ts';
import { routes, VisitHost } from '../routes.tsx';
import { lazyPart } from '../store/lazy-part.ts';
import { useReadable } from '../store/use-readable.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { ModalHost } from '../ui/dialogs/ModalHost.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ToastHost } from '../ui/feedback/ToastHost.tsx';
import { ConnectionNotice } from './ConnectionNotice.tsx';
import { NotFoundScreen } from './ErrorScreens.tsx';
import styles from './Root.module.css';
import { RouteView } from './RouteView.tsx';
import { useUnreadInTitle } from './use-page-title.ts';
import { useUnreadChats } from './use-unread-chats.ts';
import { t } from '../language/t.ts';

const WrongAddress = lazyPart(async () => (await import('./WrongAddress.tsx')).WrongAddress);

export function Root({ app }: { app: App }) {
  const session = useReadable(app.session.session);
  return (
    <AppContext value={app}>
      <ModalHost>
        <ToastHost>
          <SkipLink />
          <UnreadInTitle />
          <AddressNotice />
          <CrashBoundary>
            <CurrentScreen />
            {session.status === 'signed-in' && <VisitHost user={session.user} />}
            <ConnectionNotice />
          </CrashBoundary>
        </ToastHost>
      </ModalHost>
    </AppContext>
  );
}

/** The screen of the address. Wouter's own `Switch` reads nested routes too, which this app has none of. */
function CurrentScreen() {
  const [path] = useLocation();
  const { parser } = useRouter();
  for (const route of routes) {
    const [isHere, params] = matchRoute(parser, route.path, path);
    if (isHere) return <RouteView key={route.path} route={route} params={params} />;
  }
  return <NotFoundScreen />;
}

/** The first element that Tab reaches: a link to the content, past band and sidebar. */
function SkipLink() {
  return (
    <button
      type="button"
      className={styles.skip}
      onClick={() => {
        const main = document.querySelector<HTMLElement>('main');
        if (main === null) return;
        main.tabIndex = -1;
        main.focus();
        main.scrollIntoView();
      }}
    >
      {t`Skip to content`}
    </button>
  );
}

/** Shows how many notifications and private messages are unread, in the title of every page. */
function UnreadInTitle() {
  const { session, notifications } = useApp();
  const isSignedIn = useReadable(session.session).status === 'signed-in';
  const list = useReadable(notifications.notifications);
  const chats = useUnreadChats();
  useUnreadInTitle(isSignedIn && list !== null ? unreadCount(list) + chats : 0);
  return null;
}

/** Code that few pages need: of a server whose address is set wrong. */
function AddressNotice() {
  const openAt = useReadable(useApp().session.config)?.openAt ?? null;
  return (
    openAt !== null && (
      <Suspense>
        <WrongAddress openAt={openAt} />
      </Suspense>
    )
  );
}

/** Catches what a screen throws, and shows a message instead of a blank window. */
export class CrashBoundary extends Component<{ children: ReactNode }, { readonly hasCrashed: boolean }> {
  override state = { hasCrashed: false };

  static getDerivedStateFromError() {
    return { hasCrashed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasCrashed) return this.props.children;
    return (
      <main>
        <EmptyState tall message={shellWords.crashedTitle} hint={shellWords.crashedLead}>
          <Button variant="primary" onClick={() => location.reload()}>
            {shellWords.reload}
          </Button>
        </EmptyState>
      </main>
    );
  }
}
