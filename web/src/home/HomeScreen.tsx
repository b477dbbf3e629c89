/** The home screen, for visitors or for the current user. */
import type { ConversationRow, Notification, Tunemate, Uid, UserDocument } from '@tunemate/protocol';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { UserContext, useApp } from '../app-context.ts';
import { dayWords, homeWords } from '../words/home.ts';
import { signInWords } from '../accounts/sign-in/sign-in-words.ts';
import { UnreachableScreen } from '../shell/ErrorScreens.tsx';
import { useUnread } from '../shell/UnreadLink.tsx';
import { isWaiting } from '../shell/kept-home.ts';
import { cell } from '../store/cell.ts';
import { lazyPart } from '../store/lazy-part.ts';
import { useAtRest } from './use-at-rest.ts';
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
const PeopleNow = lazyPart(async () => (await import('./PeopleNow.tsx')).PeopleNow);
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
  const soulmateUid = soulmate.status === 'bound' ? soulmate.soulmate.uid : null;
  const hearing = useAtRest(useReadable(app.hearing));
  const way = useSoulmateWay(user);
  const notifications = useAtRest(useReadable(app.notifications.notifications));
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
      lead={
        <IconButton
          label={homeWords.menu}
          icon={<MenuIcon size={24} />}
          aria-expanded={isMenuOpen}
          onClick={() => setIsMenuOpen(true)}
        />
      }
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
            way={{ ...way, nowMs }}
            hears={soulmateUid ? hearing.get(soulmateUid) : undefined}
            unreadNotifications={unread.notices}
            unreadChats={unread.chats}
            isNew={isNew}
            first={<First {...{ user, notifications, isNew }} />}
            rooms={
              <>
                <Now tunemates={tunemates} besides={soulmateUid} />
                <YourRooms selfUid={user.uid} {...yourRooms} />
              </>
            }
            hello={
              <>
                <Hello {...{ user, isOnline, isNew, nowMs }} />
                <ChatbotPopup />
              </>
            }
            played={<Before />}
          />
          <OwnText>{way.dialog}</OwnText>
          {user.hearingShownTo === undefined && <ShowQuestion />}
        </>
      ) : (
        <LoadingScreen />
      )}
    </AppLayout>
  );
}

interface FirstProps {
  user: UserDocument;
  notifications: readonly Notification[];
  isNew: boolean;
}

function First({ user, notifications, isNew }: FirstProps) {
  return (
    <>
      <Installing />
      {user.isOperator && <OperatorDesk />}
      <WaitingForYou notifications={notifications} />
      {isNew && <FirstSteps />}
    </>
  );
}

const mostShown = 3;
/** Between the two lists where one stands below the other. */
const gapPx = 20;
const notLoaded = cell<readonly ConversationRow[] | null>(null);

/**
 * `besides` is the soulmate, whose card says what they hear. Nothing below moves when the code and the chats arrive: as
 * long as they may, they have their place.
 */
function Now({ tunemates, besides }: { tunemates: readonly Tunemate[]; besides: Uid | null }) {
  const { chats, connection, hearing } = useApp();
  const hears = useAtRest(useReadable(hearing));
  const expected = useReadable(chats.waiting);
  const rows = useAtRest(useReadable(useReadable(chats)?.list.rows ?? notLoaded));
  const isWide = useWideScreen();
  const heard = tunemates
    .flatMap((tunemate) => {
      const one = hears.get(tunemate.uid);
      return one?.untilMs === null && tunemate.uid !== besides ? [{ tunemate, hears: one }] : [];
    })
    .slice(0, mostShown);
  const isAway = useReadable(connection.status).status === 'reconnecting';
  const isPending = rows === null && expected > 0 && !isAway;
  const waiting = (rows ?? [])
    .filter(isWaiting)
    .toSorted((one, other) => other.last.timestamp - one.last.timestamp)
    .slice(0, mostShown);
  const heights = [heard.length, isPending ? Math.min(mostShown, expected) : waiting.length]
    .filter(Boolean)
    .map((count) => 49 + 65 * count);
  if (heights.length === 0) return null;
  const minHeight = isWide ? Math.max(...heights) : heights.reduce((sum, height) => sum + gapPx + height);
  return (
    <div style={{ minHeight: isPending ? minHeight : undefined }}>
      <PeopleNow {...{ heard, waiting, isPending }} fallback={<div style={{ minHeight }} />} />
    </div>
  );
}

function Installing() {
  if (useAtRest(useReadable(useApp().installing)) === null) return null;
  return <InstallHint />;
}

interface HelloProps {
  user: UserDocument;
  isOnline: boolean;
  isNew: boolean;
  nowMs: number;
}

/** One line beside the keys, as a rule. */
const whenStyle = { fontSize: 'clamp(1.75rem, 4.8cqw, 2.75rem)', lineHeight: 1.05 } as const;

/** On wide screens the sidebar beside it says who this is, and heads the page. */
function Hello({ user: { uid, name }, isOnline, isNew, nowMs }: HelloProps) {
  if (useWideScreen()) return <h2 style={whenStyle}>{isNew ? homeWords.first : dayWords(new Date(nowMs))}</h2>;
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
    <AppLayout band="persimmon" title="Tunemate">
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
            <ChatbotPopup />
          </>
        }
        logIn={
          <div className={styles.ways}>
            {signUp !== 'closed' && (
              <ButtonLink href="/signup" variant="primary" className={styles.logIn}>
                {t`Sign Up`}
              </ButtonLink>
            )}
            <ButtonLink href="/login" variant={signUp === 'closed' ? 'primary' : undefined} className={styles.logIn}>
              {t`Log In`}
            </ButtonLink>
          </div>
        }
      />
    </AppLayout>
  );
}

/** 'Chatbot coming soon...' until it is dismissed, a line below the greeting: it covers nothing. The button that opens it may be far below. */
function ChatbotPopup() {
  const { chatbotPopup } = useApp();
  const isShown = useReadable(chatbotPopup.isShown);
  // Before the page is painted: nothing below it moves then.
  useLayoutEffect(() => chatbotPopup.arrive(), [chatbotPopup]);
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
