/** One route's screen: who may see it, its title, its loading state, and the focus once it is mounted. */
import { Suspense } from 'react';
import { useLocation } from 'wouter';
import { UserContext, useApp } from '../app-context.ts';
import type { Route, ScreenProps } from '../routes.tsx';
import { useReadable } from '../store/use-readable.ts';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { useBand } from '../ui/layout/use-band.ts';
import { LoadingScreen } from '../ui/feedback/LoadingScreen.tsx';
import { RouteFocus } from './RouteFocus.tsx';
import { RedirectToLogin } from './RedirectToLogin.tsx';
import { UnreachableScreen } from './UnreachableScreen.tsx';
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

/**
 * While the screen's code is on its way. Whoever is signed in may be visiting a room, whose bar has its place on every
 * screen but the room's own.
 */
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
