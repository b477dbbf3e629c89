/** The inbox: the newest 20 notifications. Looking at it marks them read, opening its address alone does not. */
import { noticeKinds, type Notification } from '@tunemate/protocol';
import { type ReactNode, useEffect, useId } from 'react';
import { useApp, useUser } from '../app-context.ts';
import { formatWhen } from '../words/dates.ts';
import { factsOf, joinLink } from '../rooms/room-kinds.ts';
import { BackToHome } from '../shell/BackToHome.tsx';
import { useWatching } from '../shell/use-watching.ts';
import { AvatarPair } from '../soulmate/AvatarPair.tsx';
import { useReadable } from '../store/use-readable.ts';
import { tunemateWords } from '../tunemates/tunemate-words.ts';
import { ButtonLink } from '../ui/buttons/Button.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { classNames } from '../ui/class-names.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { CloseIcon } from '../ui/icons/icons.tsx';
import { AppLayout } from '../ui/layout/AppLayout.tsx';
import { ListPage } from '../ui/layout/ListPage.tsx';
import { Logo } from '../ui/layout/Logo.tsx';
import { List } from '../ui/lists/List.tsx';
import { SkeletonRows } from '../ui/lists/Skeleton.tsx';
import { Avatar } from '../ui/records/Avatar.tsx';
import { Sleeve } from '../ui/records/Sleeve.tsx';
import styles from './NotificationItem.module.css';
import { RequestAnswers } from './RequestAnswers.tsx';
import { invitationOf } from './invitation.ts';
import { messageOf } from './notice-words.ts';
import { notificationWords } from './notification-words.ts';
import { useInboxActions } from './use-inbox-actions.ts';
import type { Elements } from '../ui/OwnText.tsx';
import { useNow } from '../store/use-now.ts';
import { t } from '../language/t.ts';

export function NotificationsScreen() {
  const { notifications: model } = useApp();
  const notifications = useReadable(model.notifications);
  const isWatching = useWatching();
  useEffect(() => {
    if (isWatching && notifications !== null) void model.markRead();
  }, [isWatching, model, notifications]);

  return (
    <AppLayout band="paper" title={notificationWords.title}>
      <ListPage title={notificationWords.title} action={notifications?.length !== 0 && <BackToHome variant="ghost" />}>
        {notifications === null && <SkeletonRows />}
        {notifications?.length === 0 && (
          <EmptyState tall message={t`No notifications`} hint={t`Invitations and soulmate requests land here.`}>
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
  const actions = useInboxActions();
  const nowMs = useNow(serverNowMs);
  return (
    <List label={notificationWords.title}>
      {notifications.map((notification) => {
        const { id, type, senderUid, senderName, timestamp, room } = notification;
        const { leads, detail } = invitationOf(notification, nowMs);
        const when = formatWhen(timestamp, nowMs);
        const kind = noticeKinds[type];
        if (kind.leads === 'ownRoom' && room !== null) {
          return (
            <li key={id}>
              <RoomLeft notification={notification} room={room} when={when} onDismiss={() => actions.dismiss(id)} />
            </li>
          );
        }
        return (
          <li key={id}>
            {kind.leads === 'answer' ? (
              <RequestItem notification={notification} when={when} actions={actions} />
            ) : (
              <NotificationItem
                notification={notification}
                isOver={leads === 'over'}
                when={when}
                detail={detail}
                // Of the product itself, which is no person whatever a user is called.
                lead={kind.from === 'product' ? <Logo /> : <Avatar id={senderUid} name={senderName} size="lg" />}
                corner={
                  room !== null && (
                    <span style={{ '--band': `var(--${factsOf(room.kind).ink})` }}>
                      <Sleeve code={room.code} size="26px" />
                    </span>
                  )
                }
                trail={<Dismiss name={senderName} onDismiss={() => actions.dismiss(id)} />}
              >
                {kind.leads === 'invitation' && room !== null && leads !== 'over' && (
                  <JoinLink room={room} letsIn={leads === 'in'} />
                )}
                {kind.from === 'person' && (
                  <ButtonLink href={`/chat/${senderUid}`} small>
                    {tunemateWords.chat}
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

interface RequestItemProps {
  notification: Notification;
  when: string;
  actions: ReturnType<typeof useInboxActions>;
}

/** A request to be soulmates or tunemates. */
function RequestItem({ notification, when, actions }: RequestItemProps) {
  const user = useUser();
  const { type, senderUid, senderName, room } = notification;
  const isPlain = type !== 'soulmate';
  return (
    <NotificationItem
      notification={notification}
      when={when}
      detail={isPlain && room !== null ? t`You met in ${room.name}` : undefined}
      lead={
        isPlain ? (
          <Avatar id={senderUid} name={senderName} size="lg" />
        ) : (
          <AvatarPair one={user} other={{ uid: senderUid, name: senderName }} size="lg" />
        )
      }
    >
      <RequestAnswers
        isPlain={isPlain}
        onAccept={() => actions.answer(notification, true)}
        onDecline={() => actions.answer(notification, false)}
      />
    </NotificationItem>
  );
}

/** One tap asks to join the room of an invitation, or comes in where it lets in. */
function JoinLink({ room, letsIn }: { room: NonNullable<Notification['room']>; letsIn: boolean }) {
  const { taps } = useApp();
  const { uid } = useUser();
  const link = joinLink(room.kind, room.code);
  return (
    <span data-band={factsOf(room.kind).ink}>
      <ButtonLink href={link} onClick={() => taps.begin(link, uid)} small variant="primary">
        {letsIn ? notificationWords.join : notificationWords.askToJoin}
      </ButtonLink>
    </span>
  );
}

interface RoomLeftProps {
  notification: Notification;
  room: NonNullable<Notification['room']>;
  when: string;
  onDismiss: () => Promise<unknown>;
}

/** The user's own room that ended, or soon ends, without its host; the latter with a link back. */
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
              {t`Return to room`}
            </ButtonLink>
          </span>
        )}
      </NotificationItem>
    </div>
  );
}

function Dismiss({ name, onDismiss }: { name: string; onDismiss: () => Promise<unknown> }) {
  return <IconButton label={`${t`Dismiss`} ${name}`} icon={<CloseIcon />} onClick={() => void onDismiss()} />;
}

interface NotificationItemProps {
  notification: Notification;
  /** True for an invitation that leads nowhere any more. */
  isOver?: boolean;
  /** The name that is set apart at the beginning of the message; the sender's when left out. */
  subject?: string;
  when: string;
  detail?: string | undefined;
  /** Avatars of the people it is about, or the room's sleeve. */
  lead: Elements;
  /** At the corner of the avatar: the sleeve of the room it invites to. */
  corner?: ReactNode;
  /** The small button at the end, such as dismissing. */
  trail?: ReactNode;
  children?: ReactNode;
}

function NotificationItem(props: NotificationItemProps) {
  const { notification, when, detail, lead, corner, trail, children } = props;
  const { type, senderName, timestamp } = notification;
  const message = messageOf(notification, props.isOver);
  const subject = props.subject ?? senderName;
  const isRequest = type === 'soulmate';
  const id = useId();
  // Its keys alone do not tell whose they are.
  const group = { role: 'group', 'aria-labelledby': id } as const;
  return (
    <div className={classNames(styles.item, isRequest && styles.request)} data-band={isRequest ? 'blush' : undefined}>
      <span className={styles.lead}>
        {lead}
        {corner && <span className={styles.corner}>{corner}</span>}
      </span>
      <div className={styles.words}>
        <p id={id}>
          <strong dir="auto">{subject}</strong>
          <span>{` ${withoutName(message, subject)}`}</span>
        </p>
        <span className="meta">
          <time dateTime={new Date(timestamp).toISOString()}>{when}</time>
          {detail !== undefined && <span>{` · ${detail}`}</span>}
        </span>
      </div>
      {children && (
        <div className={styles.actions} {...group}>
          {children}
        </div>
      )}
      {trail && <div className={styles.trail}>{trail}</div>}
    </div>
  );
}

/** The message begins with the name, because other places show it alone; here the name is a separate element. */
function withoutName(message: string, name: string): string {
  return message.startsWith(`${name} `) ? message.slice(name.length + 1) : message;
}
