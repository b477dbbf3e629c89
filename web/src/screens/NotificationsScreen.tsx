/** The inbox: the newest 20 invitations and soulmate requests. Opening it marks them read. */
import type { Notification } from '@tunemate/protocol';
import { useEffect } from 'react';
import { useApp, useUser } from '../app-context.ts';
import { formatWhen } from '../copy/format-when.ts';
import { homeWords } from '../copy/home.ts';
import { notificationWords } from '../notifications/notification-words.ts';
import { NotificationItem } from '../notifications/NotificationItem.tsx';
import { factsOf } from '../rooms/room-kinds.ts';
import { DiscPair } from '../soulmate/DiscPair.tsx';
import { useReadable } from '../store/use-readable.ts';
import { tunemateWords } from '../tunemates/tunemate-words.ts';
import { AppFrame } from '../ui/frame/AppFrame.tsx';
import { ListPage } from '../ui/frame/ListPage.tsx';
import { useWideScreen } from '../ui/frame/use-wide-screen.ts';
import { CloseIcon, HomeIcon } from '../ui/icons/icons.tsx';
import { ButtonLink } from '../ui/keys/ButtonLink.tsx';
import { IconButton } from '../ui/keys/IconButton.tsx';
import { List } from '../ui/lists/List.tsx';
import { SkeletonRows } from '../ui/lists/Skeleton.tsx';
import { EmptyState } from '../ui/notices/EmptyState.tsx';
import { Disc } from '../ui/records/Disc.tsx';
import { RequestAnswers } from '../notifications/RequestAnswers.tsx';
import { useInboxActs } from '../notifications/use-inbox-acts.ts';

export function NotificationsScreen() {
  const { notifications: model } = useApp();
  const notifications = useReadable(model.notifications);
  useEffect(() => {
    if (notifications !== null) void model.markRead();
  }, [model, notifications]);

  return (
    <AppFrame band="paper" title={notificationWords.title}>
      <ListPage title={notificationWords.title} action={notifications?.length !== 0 && <BackToHome variant="ghost" />}>
        {notifications === null && <SkeletonRows />}
        {notifications?.length === 0 && (
          <EmptyState tall message={notificationWords.empty} hint={notificationWords.emptyHint}>
            <BackToHome variant="primary" />
          </EmptyState>
        )}
        {notifications !== null && notifications.length > 0 && <Inbox notifications={notifications} />}
      </ListPage>
    </AppFrame>
  );
}

function BackToHome({ variant }: { variant: 'ghost' | 'primary' }) {
  const isWide = useWideScreen();
  return (
    <ButtonLink href="/" variant={variant} icon={variant === 'ghost' && isWide && <HomeIcon size={18} />}>
      {homeWords.backToHome}
    </ButtonLink>
  );
}

function Inbox({ notifications }: { notifications: readonly Notification[] }) {
  const { serverNowMs } = useApp();
  const user = useUser();
  const acts = useInboxActs();
  const nowMs = serverNowMs();
  return (
    <List label={notificationWords.title}>
      {notifications.map((notification) => {
        const { id, type, senderUid, senderName, timestamp, room } = notification;
        const when = formatWhen(timestamp, nowMs);
        const sender = { uid: senderUid, name: senderName };
        return (
          <li key={id}>
            {type === 'soulmate' ? (
              <NotificationItem
                notification={notification}
                when={when}
                lead={<DiscPair one={user} other={sender} size="lg" />}
              >
                <RequestAnswers onAccept={() => acts.accept(id)} onDecline={() => acts.decline(id)} />
              </NotificationItem>
            ) : (
              <NotificationItem
                notification={notification}
                when={when}
                lead={<Disc id={senderUid} name={senderName} size="lg" />}
                trail={
                  <IconButton
                    label={`${notificationWords.dismiss} ${senderName}`}
                    icon={<CloseIcon />}
                    onClick={() => void acts.dismiss(id)}
                  />
                }
              >
                {room !== null && (
                  <ButtonLink href={`${factsOf(room.kind).joinPath}?code=${room.code}&ask`} small variant="primary">
                    {notificationWords.askToJoin}
                  </ButtonLink>
                )}
                <ButtonLink href={`/chat/${senderUid}`} small>
                  {tunemateWords.chat}
                </ButtonLink>
              </NotificationItem>
            )}
          </li>
        );
      })}
    </List>
  );
}
