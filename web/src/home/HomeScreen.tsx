/** The home screen, for visitors or for the current user. */
import type { UserDocument } from '@tunemate/protocol';
import { useEffect, useRef, useState } from 'react';
import { UserContext, useApp } from '../app-context.ts';
import { dayWords, homeWords } from '../words/home.ts';
import { signInWords } from '../accounts/sign-in/sign-in-words.ts';
import { UnreachableScreen } from '../shell/ErrorScreens.tsx';
import { UnreadLinks, useUnread } from '../shell/UnreadLink.tsx';
import { lazyPart } from '../store/lazy-part.ts';
import { useNow } from '../store/use-now.ts';
import { useReadable } from '../store/use-readable.ts';
import { ButtonLink } from '../ui/buttons/Button.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { LoadingScreen } from '../ui/feedback/LoadingScreen.tsx';
import { MenuIcon } from '../ui/icons/page-icons.tsx';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { useWideScreen } from '../ui/layout/use-wide-screen.ts';
import { OwnText } from '../ui/OwnText.tsx';
import { Avatar } from '../ui/records/Avatar.tsx';
import { Presence } from '../ui/records/Presence.tsx';
import popup from '../ui/feedback/Popup.module.css';
import { t } from '../language/t.ts';
import { FirstSteps } from './FirstSteps.tsx';
import { HomeBody } from './HomeBody.tsx';
import styles from './HomeBody.module.css';
import { Sidebar, SidebarBody } from './Sidebar.tsx';
import sidebarStyles from './Sidebar.module.css';
import { WaitingForYou } from './WaitingForYou.tsx';
import { useYourRooms, YourRooms } from './YourRooms.tsx';
import { CloseIcon } from '../ui/icons/icons.tsx';
import { useSoulmateWay } from '../people/soulmate-way.tsx';

const Before = lazyPart(async () => (await import('../rooms/history/Before.tsx')).Before);
const OperatorDesk = lazyPart(async () => (await import('./OperatorDesk.tsx')).OperatorDesk);
const ShowQuestion = lazyPart(async () => (await import('./ShowQuestion.tsx')).ShowQuestion);
const InstallHint = lazyPart(async () => (await import('./InstallHint.tsx')).InstallHint);

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

/** Home for the current user: the sidebar and the rooms. */
function OwnHome({ user }: { user: UserDocument }) {
  const app = useApp();
  const nowMs = useNow(app.serverNowMs);
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const isOnline = useReadable(app.connection.status).status === 'live';
  const tunemates = useReadable(app.tunemates.tunemates);
  const soulmate = useReadable(app.soulmate.soulmate);
  const hearing = useReadable(app.hearing);
  const way = useSoulmateWay(user);
  const notifications = useReadable(app.notifications.notifications);
  const unread = useUnread();
  const yourRooms = useYourRooms();

  // The sidebar is drawn before its lists arrive, so that nothing moves then.
  const isKnown = tunemates !== null && notifications !== null && yourRooms !== null;
  // A user who knows no person here yet and sits in no room.
  const isNew = isKnown && tunemates.length === 0 && soulmate.status === 'none' && yourRooms.rooms.length === 0;
  return (
    <AppLayout
      band="persimmon"
      title="Tunemate"
      popupRoom
      lead={
        <IconButton
          label={homeWords.menu}
          icon={<MenuIcon size={24} />}
          aria-expanded={isMenuOpen}
          onClick={() => setIsMenuOpen(true)}
        />
      }
      trail={<UnreadLinks />}
      sidebar={
        <Sidebar {...{ user, isOnline }} open={isMenuOpen} onClose={() => setIsMenuOpen(false)}>
          {tunemates !== null && (
            <SidebarBody
              user={user}
              soulmate={soulmate}
              way={way}
              tunemates={tunemates}
              onLeave={() => setIsMenuOpen(false)}
            />
          )}
        </Sidebar>
      }
    >
      {isKnown ? (
        <>
          <HomeBody
            self={user}
            soulmate={soulmate}
            way={{ asked: way.asked, key: way.key, nowMs }}
            hears={soulmate.status === 'bound' ? hearing.get(soulmate.soulmate.uid) : undefined}
            unreadNotifications={unread.notices}
            unreadChats={unread.chats}
            rooms={
              <>
                <Installing />
                {user.isOperator && <OperatorDesk />}
                <WaitingForYou notifications={notifications} />
                <YourRooms selfUid={user.uid} {...yourRooms} />
                {isNew && <FirstSteps />}
              </>
            }
            hello={<Hello {...{ user, isOnline, isNew, nowMs }} />}
            played={<Before />}
          />
          <OwnText>{way.dialog}</OwnText>
          {user.hearingShownTo === undefined && <ShowQuestion />}
          <ChatbotPopup />
        </>
      ) : (
        <LoadingScreen />
      )}
    </AppLayout>
  );
}

function Installing() {
  if (useReadable(useApp().installing) === null) return null;
  return <InstallHint />;
}

interface HelloProps {
  user: UserDocument;
  isOnline: boolean;
  isNew: boolean;
  nowMs: number;
}

/** On wide screens the sidebar beside it says who this is, and heads the page. */
function Hello({ user: { uid, name }, isOnline, isNew, nowMs }: HelloProps) {
  if (useWideScreen()) return <h2 className={styles.when}>{isNew ? homeWords.first : dayWords(new Date(nowMs))}</h2>;
  return (
    <div className={sidebarStyles.me}>
      <Avatar id={uid} name={name} size="lg" badge={isOnline ? 'online' : 'offline'} badgeIsNamed />
      <div className={sidebarStyles.words}>
        <h1 dir="auto">{name}</h1>
        <Presence online={isOnline} />
      </div>
    </div>
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

/**
 * 'Chatbot coming soon...' until it is dismissed, in the room that `popupRoom` leaves below the page: it covers
 * nothing. The button that opens it may be far above.
 */
function ChatbotPopup() {
  const { chatbotPopup } = useApp();
  const isShown = useReadable(chatbotPopup.isShown);
  useEffect(() => chatbotPopup.arrive(), [chatbotPopup]);
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    const isPressed = document.activeElement instanceof HTMLButtonElement;
    if (isShown && isPressed) box.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  if (!isShown) return null;
  return (
    <aside ref={box} className={popup.popup} aria-label={homeWords.chatbotSoon}>
      <p>{homeWords.chatbotSoon}</p>
      <IconButton label={t`Dismiss`} icon={<CloseIcon />} onClick={() => chatbotPopup.dismiss()} />
    </aside>
  );
}
