/** The home screen, for visitors or for the current user. */
import type { UserCard, UserDocument } from '@tunemate/protocol';
import { useEffect, useState } from 'react';
import { UserContext, useApp } from '../app-context.ts';
import { homeWords } from '../words/home.ts';
import { signInWords } from '../accounts/sign-in/sign-in-words.ts';
import { UnreachableScreen } from '../shell/ErrorScreens.tsx';
import { UnreadLinks, useUnread } from '../shell/UnreadLink.tsx';
import { lazyPart } from '../store/lazy-part.ts';
import { useNow } from '../store/use-now.ts';
import { useReadable } from '../store/use-readable.ts';
import { ButtonLink, Button } from '../ui/buttons/Button.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { LoadingScreen } from '../ui/feedback/LoadingScreen.tsx';
import { MenuIcon } from '../ui/icons/page-icons.tsx';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { useWideScreen } from '../ui/layout/use-wide-screen.ts';
import { OwnText, type Elements } from '../ui/OwnText.tsx';
import { Avatar } from '../ui/records/Avatar.tsx';
import { Presence } from '../ui/records/Presence.tsx';
import popup from '../ui/feedback/Popup.module.css';
import { t } from '../language/t.ts';
import { FirstSteps } from './FirstSteps.tsx';
import { HomeBody } from './HomeBody.tsx';
import styles from './HomeBody.module.css';
import { Sidebar, SidebarBody, type SoulmateWay } from './Sidebar.tsx';
import sidebarStyles from './Sidebar.module.css';
import { WaitingForYou } from './WaitingForYou.tsx';
import { useYourRooms, YourRooms } from './YourRooms.tsx';
import { soulmateWords } from '../soulmate/soulmate-words.ts';
import { useTakeBack } from '../soulmate/use-take-back.ts';
import { useBusy } from '../store/use-busy.ts';
import { CloseIcon, HeadphonesIcon } from '../ui/icons/icons.tsx';
import { ChevronRightIcon } from '../ui/icons/inside-icons.tsx';
import { useListenTogether } from '../people/listen-together.ts';

const Histories = lazyPart(async () => (await import('../rooms/history/Histories.tsx')).Histories);
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
  const way = useSoulmateWay(user);
  const notifications = useReadable(app.notifications.notifications);
  const unread = useUnread();
  const yourRooms = useYourRooms();

  // The sidebar is drawn before its lists arrive, so that nothing moves then.
  const isKnown = tunemates !== null && notifications !== null && yourRooms !== null;
  // Who knows nobody here yet and sits in no room.
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
            unreadNotifications={unread.notices}
            unreadChats={unread.chats}
            rooms={
              <>
                <Installing />
                <WaitingForYou notifications={notifications} />
                <YourRooms selfUid={user.uid} {...yourRooms} />
                {isNew && <FirstSteps />}
              </>
            }
            hello={<Hello user={user} isOnline={isOnline} />}
            played={<Histories />}
          />
          <OwnText>{way.dialog}</OwnText>
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

function Hello({ user: { uid, name }, isOnline }: { user: UserDocument; isOnline: boolean }) {
  const words = (
    <>
      <h1 dir="auto">{name}</h1>
      <Presence online={isOnline} />
    </>
  );
  // On wide screens the sidebar beside it shows the same.
  if (useWideScreen()) return words;
  return (
    <div className={sidebarStyles.me}>
      <Avatar id={uid} name={name} size="lg" badge={isOnline ? 'online' : 'offline'} badgeIsNamed />
      <div className={sidebarStyles.words}>{words}</div>
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

const ChooseSoulmate = lazyPart(async () => (await import('../people/ChooseSoulmate.tsx')).ChooseSoulmate);

/** The next step on the way to a soulmate: choosing, taking back, or listening together, for the card and the sidebar. */
function useSoulmateWay(self: UserCard): SoulmateWay {
  const { soulmate } = useApp();
  const bond = useReadable(soulmate.soulmate);
  const waiting = useReadable(soulmate.asked)[0] ?? null;
  const [isChoosing, setIsChoosing] = useState(false);
  const { isBusy, run } = useBusy();
  const listen = useListenTogether();
  const takeBack = useTakeBack();
  const asked = bond.status === 'bound' ? null : waiting;
  const choose = (): void => setIsChoosing(true);

  function key(): Elements {
    if (bond.status === 'bound') {
      return (
        <Button
          variant="ink"
          busy={isBusy}
          onClick={() => run(() => listen({ self, other: bond.soulmate, band: 'blush' }))}
        >
          <span>{soulmateWords.listen}</span>
          <HeadphonesIcon />
        </Button>
      );
    }
    if (asked !== null) {
      return (
        <Button variant="inkLine" onClick={() => void takeBack(asked)}>
          <span>{soulmateWords.takeBack}</span>
          <CloseIcon />
        </Button>
      );
    }
    return (
      <Button variant="ink" aria-haspopup="dialog" onClick={choose}>
        <span>{soulmateWords.choose}</span>
        <ChevronRightIcon />
      </Button>
    );
  }

  return {
    asked,
    choose,
    key: key(),
    dialog: isChoosing && <ChooseSoulmate onClose={() => setIsChoosing(false)} />,
  };
}

/** 'Chatbot coming soon...', at the bottom right until it is dismissed. `popupRoom` leaves room for it below the page. */
function ChatbotPopup() {
  const { chatbotPopup } = useApp();
  const isShown = useReadable(chatbotPopup.isShown);
  useEffect(() => chatbotPopup.arrive(), [chatbotPopup]);
  if (!isShown) return null;
  return (
    <aside className={popup.popup} aria-label={homeWords.chatbotSoon}>
      <p>{homeWords.chatbotSoon}</p>
      <IconButton label={t`Dismiss`} icon={<CloseIcon />} onClick={() => chatbotPopup.dismiss()} />
    </aside>
  );
}
