/**
 * One notification: a soulmate request with its two answers, an invitation with a link to the room, if it has one, or
 * news of a room that ended.
 */
import type { Notification } from '@tunemate/protocol';
import type { ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';
import styles from './NotificationItem.module.css';

export interface NotificationItemProps {
  notification: Notification;
  /** The name that is set apart at the beginning of the message; the sender's when left out. */
  subject?: string;
  /** Clock time or date. */
  when: string;
  /** What it leads to, beside the time. */
  detail?: string | undefined;
  /** Avatars of the people it is about, or the room's sleeve. */
  lead: ReactNode;
  /** At the corner of the avatar: the sleeve of the room it invites to. */
  corner?: ReactNode;
  /** The small button at the end, such as dismissing. */
  trail?: ReactNode;
  /** The answer buttons. */
  children?: ReactNode;
}

export function NotificationItem(props: NotificationItemProps) {
  const { notification, when, detail, lead, corner, trail, children } = props;
  const { type, senderName, message, timestamp } = notification;
  const subject = props.subject ?? senderName;
  const isRequest = type === 'soulmate';
  return (
    <div className={classNames(styles.item, isRequest && styles.request)} data-band={isRequest ? 'blush' : undefined}>
      <span className={styles.lead}>
        {lead}
        {corner && <span className={styles.corner}>{corner}</span>}
      </span>
      <div className={styles.words}>
        <p>
          <strong>{subject}</strong> {withoutName(message, subject)}
        </p>
        <span className="meta">
          <time dateTime={new Date(timestamp).toISOString()}>{when}</time>
          {detail !== undefined && ` · ${detail}`}
        </span>
      </div>
      {children && <div className={styles.actions}>{children}</div>}
      {trail && <div className={styles.trail}>{trail}</div>}
    </div>
  );
}

/** The message begins with the name, because other places show it alone; here the name is a separate element. */
function withoutName(message: string, name: string): string {
  return message.startsWith(`${name} `) ? message.slice(name.length + 1) : message;
}
