/**
 * Notifications that this device still shows for what is read, deleted or over by now, here or on another device: they go
 * when the page learns of it. The worker names them by kind and sender.
 */
import { joinRequestNewsMs, noticeKinds, type Notification as Notice } from '@tunemate/protocol';

interface Shown {
  readonly tag: string;
  /** Of the page's clock; not in all browsers. */
  readonly timestamp?: number;
  close(): void;
}

export interface Unread {
  /** Who has written what is not read; null while that is not known. */
  readonly writers: ReadonlySet<string> | null;
  /** Null while they are not known. */
  readonly notices: readonly Notice[] | null;
}

/** Never throws: what a device shows beside the page ends nothing of it. */
export async function closeSeen(
  container: Pick<ServiceWorkerContainer, 'getRegistration'> | undefined,
  unread: Unread,
  nowMs: number,
): Promise<void> {
  try {
    const registration = await container?.getRegistration('/');
    const shown = (await registration?.getNotifications()) as readonly Shown[] | undefined;
    for (const each of shown ?? []) if (isOver(each, unread, nowMs)) each.close();
  } catch {
    // They stay until they are pressed.
  }
}

function isOver({ tag, timestamp }: Shown, { writers, notices }: Unread, nowMs: number): boolean {
  const [type = '', uid = ''] = tag.split(':');
  if (type === 'message') return writers !== null && !writers.has(uid);
  if (type === 'joinRequest') return timestamp !== undefined && nowMs - timestamp > joinRequestNewsMs;
  return notices !== null && !notices.some((notice) => isOf(notice, type, uid));
}

const isOf = ({ type, senderUid, isRead }: Notice, pushedAs: string, uid: string): boolean =>
  !isRead && senderUid === uid && noticeKinds[type].pushedAs === pushedAs;
