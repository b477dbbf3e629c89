/** Everything around the screens: models, modals, toasts, the skip link, and the notice of a lost connection. */
import { Route, Switch } from 'wouter';
import { AppContext } from '../app-context.ts';
import type { App } from '../app.ts';
import { routes, VisitHost } from '../routes.tsx';
import { useReadable } from '../store/use-readable.ts';
import { ModalHost } from '../ui/dialogs/ModalHost.tsx';
import { ToastHost } from '../ui/feedback/ToastHost.tsx';
import { AddressNotice } from './AddressNotice.tsx';
import { ConnectionNotice } from './ConnectionNotice.tsx';
import { CrashBoundary } from './CrashBoundary.tsx';
import { NotFoundScreen } from './NotFoundScreen.tsx';
import { RouteView } from './RouteView.tsx';
import { SkipLink } from './SkipLink.tsx';
import { UnreadInTitle } from './UnreadInTitle.tsx';

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
            <Switch>
              {routes.map((route) => (
                <Route key={route.path} path={route.path}>
                  {(params) => <RouteView route={route} params={params} />}
                </Route>
              ))}
              <Route>
                <NotFoundScreen />
              </Route>
            </Switch>
            {session.status === 'signed-in' && <VisitHost user={session.user} />}
            <ConnectionNotice />
          </CrashBoundary>
        </ToastHost>
      </ModalHost>
    </AppContext>
  );
}
