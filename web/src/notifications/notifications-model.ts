/**
 * The inbox: the newest 20 invitations and soulmate requests, newest first, and which of them are unread. The soulmate
 * model answers soulmate requests; the server removes an answered one from the inbox.
 */
import type { Notification, UserChange, Result } from '@tunemate/protocol';
import type { Connection } from '../connection/port.ts';
import { cell, type Readable } from '../store/cell.ts';

export interface NotificationsModel {
  /** Newest first; null until the first snapshot. */
  readonly notifications: Readable<readonly Notification[] | null>;
  dismiss(id: string): Promise<Result<object>>;
  /** Marks all notifications as read; sends a request only when one is unread. */
  markRead(): Promise<void>;
}

export function createNotificationsModel(connection: Connection): NotificationsModel {
  const notifications = cell<readonly Notification[] | null>(null);

  connection.onUserSnapshot((snapshot) => notifications.set(newestFirst(snapshot.notifications)));
  connection.onUserChange((change) =>
    notifications.update((current) => (current === null ? null : afterChange(current, change))),
  );

  return {
    notifications,
    dismiss: (id) => connection.request('notifications/dismiss', { id }),
    async markRead() {
      if (unreadCount(notifications.get() ?? []) > 0) await connection.request('notifications/markRead', {});
    },
  };
}

export function unreadCount(list: readonly Notification[]): number {
  return list.filter(({ isRead }) => !isRead).length;
}

/** The inbox after one change; the same array when the change does not concern it. */
export function afterChange(list: readonly Notification[], change: UserChange): readonly Notification[] {
  if (change.type === 'notifications/removed') return list.filter(({ id }) => id !== change.id);
  if (change.type === 'notifications/read') return list.map((notification) => ({ ...notification, isRead: true }));
  if (change.type === 'notifications/roomEnded') {
    return list.map((one) =>
      one.room?.kind === change.kind && one.room.code === change.code
        ? { ...one, room: { ...one.room, hasEnded: true } }
        : one,
    );
  }
  if (change.type !== 'notifications/added') return list;
  const { notification, removed } = change;
  return newestFirst([notification, ...list.filter(({ id }) => id !== notification.id && !removed.includes(id))]);
}

function newestFirst(list: readonly Notification[]): readonly Notification[] {
  return list.toSorted((one, other) => other.timestamp - one.timestamp);
}
