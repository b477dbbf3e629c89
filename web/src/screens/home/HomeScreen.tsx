/** The home screen: loading, for visitors, or for the person signed in. */
import { UserContext, useApp } from '../../app-context.ts';
import { useReadable } from '../../store/use-readable.ts';
import { AppFrame } from '../../ui/frame/AppFrame.tsx';
import { LoadingScreen } from '../../ui/notices/LoadingScreen.tsx';
import { UnreachableScreen } from '../../shell/UnreachableScreen.tsx';
import { OwnHome } from './OwnHome.tsx';
import { VisitorHome } from './VisitorHome.tsx';

export function HomeScreen() {
  const { session } = useApp();
  const now = useReadable(session.session);
  if (now.status === 'loading') {
    return (
      <AppFrame band="persimmon" title="Tunemate">
        <LoadingScreen />
      </AppFrame>
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
