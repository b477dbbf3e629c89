/**
 * One notification: a soulmate request with its two answers, or an invitation with a link to the room, if it has one.
 */
import type { Notification } from '@tunemate/protocol';
import type { ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';
import styles from './NotificationItem.module.css';

export interface NotificationItemProps {
  notification: Notification;
  /** Clock time or date. */
  when: string;
  /** What it leads to, beside the time. */
  detail?: string | undefined;
  /** Avatars of the people it is about. */
  lead: ReactNode;
  /** The small button at the end, such as dismissing. */
  trail?: ReactNode;
  /** The answer buttons. */
  children?: ReactNode;
}

export function NotificationItem({ notification, when, detail, lead, trail, children }: NotificationItemProps) {
  const { type, senderName, message, timestamp } = notification;
  const isRequest = type === 'soulmate';
  return (
    <div className={classNames(styles.item, isRequest && styles.request)} data-band={isRequest ? 'blush' : undefined}>
      <span className={styles.lead}>{lead}</span>
      <div className={styles.words}>
        <p>
          <strong>{senderName}</strong> {withoutName(message, senderName)}
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
