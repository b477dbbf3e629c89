/** The home screen, for visitors or for the current user. */
import { UserContext, useApp } from '../app-context.ts';
import { useReadable } from '../store/use-readable.ts';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { LoadingScreen } from '../ui/feedback/LoadingScreen.tsx';
import { UnreachableScreen } from '../shell/ErrorScreens.tsx';
import { OwnHome } from './OwnHome.tsx';
import { signInWords } from '../accounts/sign-in/sign-in-words.ts';
import { homeWords } from '../words/home.ts';
import { ButtonLink } from '../ui/buttons/Button.tsx';
import { ChatbotPopup } from './ChatbotPopup.tsx';
import { HomeBody } from './HomeBody.tsx';
import styles from './HomeBody.module.css';

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

/** Home for visitors: shows every action; each leads to signing in first. */
function VisitorHome() {
  const signUp = useReadable(useApp().session.config)?.signUp ?? 'open';
  return (
    <AppLayout band="persimmon" title="Tunemate" popupRoom>
      <HomeBody
        self={null}
        soulmate={{ status: 'none' }}
        unreadNotifications={0}
        unreadChats={0}
        hello={
          <>
            <h1>
              {signInWords.tagLine.map((words) => (
                <span key={words} className={styles.helloLine}>
                  {`${words} `}
                </span>
              ))}
            </h1>
            <p className={styles.what}>{homeWords.what}</p>
          </>
        }
        logIn={
          <div className={styles.ways}>
            {signUp !== 'closed' && (
              <ButtonLink href="/signup" variant="primary" className={styles.logIn}>
                {homeWords.signUp}
              </ButtonLink>
            )}
            <ButtonLink href="/login" variant={signUp === 'closed' ? 'primary' : undefined} className={styles.logIn}>
              {homeWords.logIn}
            </ButtonLink>
          </div>
        }
      />
      <ChatbotPopup />
    </AppLayout>
  );
}
