/** The home screen, for visitors or for the current user. */
import { UserContext, useApp } from '../app-context.ts';
import { useReadable } from '../store/use-readable.ts';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { LoadingScreen } from '../ui/feedback/LoadingScreen.tsx';
import { UnreachableScreen } from '../shell/ErrorScreens.tsx';
import { OwnHome } from './OwnHome.tsx';
import { VisitorHome } from './VisitorHome.tsx';

export function HomeScreen() {
  const { session } = useApp();
  const now = useReadable(session.session);
  if (now.status === 'loading') {
    return (
      <AppLayout band="persimmon" title="Tunemate">
        <LoadingScreen />
      </AppLayout>
    );
  }
  if (now.status === 'unreachable') return <UnreachableScreen band="persimmon" refusal={now.refusal} />;
  if (now.status !== 'signed-in') return <VisitorHome />;
  return (
    <UserContext value={now.user}>
      <OwnHome user={now.user} />
    </UserContext>
  );
}
