/** Home for the current user: the sidebar and the rooms. */
import type { UserDocument } from '@tunemate/protocol';
import { Suspense, useState } from 'react';
import { useApp } from '../app-context.ts';
import { homeWords } from '../words/home.ts';
import { useSoulmateWay } from '../people/use-soulmate-way.tsx';
import { UnreadLinks, useUnread } from '../shell/UnreadLink.tsx';
import { lazyPart } from '../store/lazy-part.ts';
import { useReadable } from '../store/use-readable.ts';
import { Drawer } from '../ui/dialogs/Drawer.tsx';
import { useWideScreen } from '../ui/layout/use-wide-screen.ts';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { MenuIcon } from '../ui/icons/page-icons.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { LoadingScreen } from '../ui/feedback/LoadingScreen.tsx';
import { Avatar } from '../ui/records/Avatar.tsx';
import { Presence } from '../ui/records/Presence.tsx';
import { ChatbotPopup } from './ChatbotPopup.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { HomeBody } from './HomeBody.tsx';
import { SidebarBody, SidebarHead } from './Sidebar.tsx';
import { WaitingForYou } from './WaitingForYou.tsx';
import { useYourRooms, YourRooms } from './YourRooms.tsx';
import styles from './Sidebar.module.css';
import { OwnText } from '../ui/OwnText.tsx';
import { useNow } from '../store/use-now.ts';

const Histories = lazyPart(async () => (await import('../rooms/history/Histories.tsx')).Histories);
const InstallHint = lazyPart(async () => (await import('./InstallHint.tsx')).InstallHint);

function Played() {
  return (
    <Suspense>
      <Histories />
    </Suspense>
  );
}

function Installing() {
  if (useReadable(useApp().installing) === null) return null;
  return (
    <Suspense>
      <InstallHint />
    </Suspense>
  );
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
    <div className={styles.me}>
      <Avatar id={uid} name={name} size="lg" badge={isOnline ? 'online' : 'offline'} badgeIsNamed />
      <div className={styles.words}>{words}</div>
    </div>
  );
}

export function OwnHome({ user }: { user: UserDocument }) {
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
        <Drawer
          label={homeWords.menu}
          open={isMenuOpen}
          onClose={() => setIsMenuOpen(false)}
          head={<SidebarHead user={user} isOnline={isOnline} />}
        >
          {tunemates !== null && (
            <SidebarBody
              user={user}
              soulmate={soulmate}
              way={way}
              tunemates={tunemates}
              onLeave={() => setIsMenuOpen(false)}
            />
          )}
        </Drawer>
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
            played={<Played />}
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
