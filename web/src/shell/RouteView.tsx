/** One route's screen: who may see it, its title, its loading state, and the focus once it is mounted. */
import { Suspense, useEffect, useEffectEvent, useLayoutEffect } from 'react';
import { useLocation, useSearch } from 'wouter';
import { loginPath } from '../accounts/sign-in/next-path.ts';
import { useApp, UserContext } from '../app-context.ts';
import { shellWords } from '../words/shell.ts';
import type { Route, ScreenProps } from '../routes.tsx';
import { useReadable } from '../store/use-readable.ts';
import { useModals } from '../ui/dialogs/modals.ts';
import { LoadingScreen } from '../ui/feedback/LoadingScreen.tsx';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { useBand } from '../ui/layout/use-band.ts';
import { focusHeading } from '../ui/lost-focus.ts';
import { UnreachableScreen } from './ErrorScreens.tsx';
import { useRouteTitle } from './use-page-title.ts';

export function RouteView({ route, params }: { route: Route } & ScreenProps) {
  const [path] = useLocation();
  useBand(route.band);
  useRouteTitle(route.title);
  return (
    <Suspense fallback={<Fetching route={route} />}>
      {/* A new address mounts a new screen, even of the same route. */}
      {route.access === 'open' ? (
        <route.Screen key={path} params={params} />
      ) : (
        <SignedInOnly key={path} route={route} params={params} />
      )}
      <RouteFocus path={path} />
    </Suspense>
  );
}

/** While the screen's code is being fetched. A signed-in user may be visiting a room: the layout keeps its bar's place. */
function Fetching({ route: { access, band, title } }: { route: Route }) {
  const { status } = useReadable(useApp().session.session);
  if (status !== 'signed-in' || access === 'room') return <LoadingScreen />;
  return (
    <AppLayout band={band} title={title}>
      <LoadingScreen />
    </AppLayout>
  );
}

function SignedInOnly({ route, params }: { route: Route } & ScreenProps) {
  const { session } = useApp();
  const now = useReadable(session.session);
  if (now.status === 'loading') return <LoadingScreen />;
  if (now.status === 'unreachable') return <UnreachableScreen band={route.band} refusal={now.refusal} />;
  if (now.status !== 'signed-in') {
    return <RedirectToLogin saysWhy={route.access === 'room' && now.status === 'signed-out'} />;
  }
  return (
    <UserContext value={now.user}>
      <route.Screen params={params} />
    </UserContext>
  );
}

/** The path of the last screen; null before the first, whose focus the browser sets. */
let lastPath: string | null = null;

/**
 * Moves the focus to a new screen, as a browser does when a page is loaded: to its heading, so that screen readers
 * announce it. Place it after the screen, inside its Suspense: it runs when the screen is mounted, before the screen
 * is painted, because a field that a person presses afterwards keeps the focus.
 */
function RouteFocus({ path }: { path: string }) {
  useLayoutEffect(() => {
    const isFirst = lastPath === null || lastPath === path;
    lastPath = path;
    if (isFirst) return;
    window.scrollTo(0, 0);
    if (document.querySelector('dialog[open]') !== null) return;
    focusHeading();
  }, [path]);
  return null;
}

/**
 * Redirects a visitor to the sign-in screen, which then opens the requested page. With `saysWhy` a dialog gives the
 * reason first.
 */
function RedirectToLogin({ saysWhy }: { saysWhy: boolean }) {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const modals = useModals();
  const leave = useEffectEvent(async (visit: { isOver: boolean }) => {
    // In development React mounts twice; only the second mount shows the message.
    await Promise.resolve();
    if (visit.isOver) return;
    if (saysWhy) await modals.ok(shellWords.mustBeLoggedIn);
    if (!visit.isOver) navigate(loginPath(search === '' ? path : `${path}?${search}`), { replace: true });
  });
  useEffect(() => {
    const visit = { isOver: false };
    void leave(visit);
    return () => {
      visit.isOver = true;
    };
  }, []);
  return <LoadingScreen />;
}
