/** How changes of a room's chat alter messages that are loaded already. Pure. */
import { stampNames, type RoomChange, type RoomMessage } from '@tunemate/protocol';
import type { MessageLog } from '../../messages/message-log.ts';

export type MessageChange = Extract<RoomChange, { type: 'rooms/messageDeleted' | 'rooms/stamped' }>;

/** The log after one of its messages changed; the same log when that message is not loaded. */
export function withMessageChange(
  log: MessageLog<RoomMessage>,
  change: MessageChange,
  selfUid: string,
): MessageLog<RoomMessage> {
  const index = log.messages.findIndex(({ id }) => id === change.messageId);
  const message = log.messages[index];
  if (message === undefined) return log;
  const changed =
    change.type === 'rooms/messageDeleted'
      ? { ...message, text: '', isDeleted: true, stamps: [] }
      : withStamp(message, change, selfUid);
  return { ...log, messages: log.messages.with(index, changed) };
}

function withStamp(
  message: RoomMessage,
  { stamp, count, uid, isOn }: Extract<MessageChange, { type: 'rooms/stamped' }>,
  selfUid: string,
): RoomMessage {
  const before = message.stamps.find((one) => one.stamp === stamp);
  const isMine = uid === selfUid ? isOn : (before?.isMine ?? false);
  const others = message.stamps.filter((one) => one.stamp !== stamp);
  const stamps = count === 0 ? others : [...others, { stamp, count, isMine }];
  return { ...message, stamps: stamps.toSorted((a, b) => stampNames.indexOf(a.stamp) - stampNames.indexOf(b.stamp)) };
}
