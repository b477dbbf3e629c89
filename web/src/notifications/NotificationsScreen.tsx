/** The inbox: the newest 20 invitations, soulmate requests and other news. Looking at it marks them read. */
import type { Notification } from '@tunemate/protocol';
import { useEffect } from 'react';
import { useApp, useUser } from '../app-context.ts';
import { formatWhen } from '../copy/format-when.ts';
import { invitationOf, pastTense } from './invitation.ts';
import { notificationCopy } from './notification-words.ts';
import { NotificationItem } from './NotificationItem.tsx';
import { factsOf } from '../rooms/room-kinds.ts';
import { AvatarPair } from '../soulmate/AvatarPair.tsx';
import { useReadable } from '../store/use-readable.ts';
import { tunemateCopy } from '../tunemates/tunemate-words.ts';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { ListPage } from '../ui/layout/ListPage.tsx';
import { regainFocus } from '../ui/lost-focus.ts';
import { useWatching } from '../ui/use-watching.ts';
import { CloseIcon } from '../ui/icons/icons.tsx';
import { ButtonLink } from '../ui/buttons/ButtonLink.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { List } from '../ui/lists/List.tsx';
import { SkeletonRows } from '../ui/lists/Skeleton.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { Avatar } from '../ui/records/Avatar.tsx';
import { Sleeve } from '../ui/records/Sleeve.tsx';
import { RequestAnswers } from './RequestAnswers.tsx';
import { useInboxActions } from './use-inbox-actions.ts';
import { BackToHome } from '../shell/BackToHome.tsx';

export function NotificationsScreen() {
  const { notifications: model } = useApp();
  const notifications = useReadable(model.notifications);
  const isWatching = useWatching();
  useEffect(() => {
    if (isWatching && notifications !== null) void model.markRead();
    // Of one that is answered or dismissed.
    regainFocus();
  }, [isWatching, model, notifications]);

  return (
    <AppLayout band="paper" title={notificationCopy.title}>
      <ListPage title={notificationCopy.title} action={notifications?.length !== 0 && <BackToHome variant="ghost" />}>
        {notifications === null && <SkeletonRows />}
        {notifications?.length === 0 && (
          <EmptyState tall message={notificationCopy.empty} hint={notificationCopy.emptyHint}>
            <BackToHome variant="primary" />
          </EmptyState>
        )}
        {notifications !== null && notifications.length > 0 && <Inbox notifications={notifications} />}
      </ListPage>
    </AppLayout>
  );
}

function Inbox({ notifications }: { notifications: readonly Notification[] }) {
  const { serverNowMs } = useApp();
  const user = useUser();
  const actions = useInboxActions();
  const nowMs = serverNowMs();
  return (
    <List label={notificationCopy.title}>
      {notifications.map((notification) => {
        const { id, type, message, senderUid, senderName, timestamp, room } = notification;
        const { leads, detail } = invitationOf(notification, nowMs);
        const when = formatWhen(timestamp, nowMs);
        const sender = { uid: senderUid, name: senderName };
        if (type === 'host-away' && room !== null) {
          return (
            <li key={id}>
              <RoomLeft notification={notification} room={room} when={when} onDismiss={() => actions.dismiss(id)} />
            </li>
          );
        }
        return (
          <li key={id}>
            {type === 'soulmate' ? (
              <NotificationItem
                notification={notification}
                when={when}
                lead={<AvatarPair one={user} other={sender} size="lg" />}
              >
                <RequestAnswers onAccept={() => actions.accept(id)} onDecline={() => actions.decline(id)} />
              </NotificationItem>
            ) : (
              <NotificationItem
                notification={leads === 'over' ? { ...notification, message: pastTense(message) } : notification}
                when={when}
                detail={detail}
                lead={<Avatar id={senderUid} name={senderName} size="lg" />}
                corner={
                  room !== null && (
                    <span style={{ '--band': `var(--${factsOf(room.kind).ink})` }}>
                      <Sleeve code={room.code} size="26px" />
                    </span>
                  )
                }
                trail={<Dismiss name={senderName} onDismiss={() => actions.dismiss(id)} />}
              >
                {room !== null && leads !== 'over' && (
                  <span data-band={factsOf(room.kind).ink}>
                    <ButtonLink href={`${factsOf(room.kind).joinPath}?code=${room.code}&ask`} small variant="primary">
                      {leads === 'in' ? notificationCopy.join : notificationCopy.askToJoin}
                    </ButtonLink>
                  </span>
                )}
                {type !== 'report' && (
                  <ButtonLink href={`/chat/${senderUid}`} small>
                    {tunemateCopy.chat}
                  </ButtonLink>
                )}
              </NotificationItem>
            )}
          </li>
        );
      })}
    </List>
  );
}

interface RoomLeftProps {
  notification: Notification;
  room: NonNullable<Notification['room']>;
  when: string;
  onDismiss: () => Promise<void>;
}

/** A room of one's own that ended without its host: its sleeve, and nothing to go to; or that soon does: the way back. */
function RoomLeft({ notification, room, when, onDismiss }: RoomLeftProps) {
  const { ink, bandTitle, roomPath } = factsOf(room.kind);
  return (
    <div style={{ '--band': `var(--${ink})` }}>
      <NotificationItem
        notification={notification}
        subject={room.name}
        when={when}
        detail={bandTitle}
        lead={<Sleeve code={room.code} size="56px" />}
        trail={<Dismiss name={room.name} onDismiss={onDismiss} />}
      >
        {!room.hasEnded && (
          <span data-band={ink}>
            <ButtonLink href={roomPath(room.code)} small variant="primary">
              {notificationCopy.returnToRoom}
            </ButtonLink>
          </span>
        )}
      </NotificationItem>
    </div>
  );
}

function Dismiss({ name, onDismiss }: { name: string; onDismiss: () => Promise<void> }) {
  return (
    <IconButton label={`${notificationCopy.dismiss} ${name}`} icon={<CloseIcon />} onClick={() => void onDismiss()} />
  );
}
