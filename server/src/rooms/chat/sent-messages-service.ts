/**
 * What happens to messages of a room after they were sent. The host can delete one for all: its text is then stored
 * nowhere, nor in the stream. Everybody can press stamps, on messages or at the picture.
 */
import { type Payload, type Result, type RoomMessage, roomStream } from '@tunemate/protocol';
import type { Handlers, Member } from '../../access/subjects.ts';
import { accept, refuse } from '../../system/ports.ts';
import type { Change } from '../../storage/record.ts';
import { replaceEntries } from '../../storage/replace-entries.ts';
import { blankMessage, messageFacts } from './room-chat-store.ts';
import { removeStampsOn, setStamp, stampCount } from './room-stamps-store.ts';

const blank = (message: RoomMessage): RoomMessage => ({ ...message, text: '', isDeleted: true, stamps: [] });

type Empty = Record<string, never>;

/** Whether this is the change by which that message was told. */
function isSending(change: Change, messageId: string): change is Change & { type: 'rooms/messageSent' } {
  return change.type === 'rooms/messageSent' && change.message.id === messageId;
}

async function deleteMessage(member: Member, { messageId }: Payload<'rooms/deleteMessage'>): Promise<Result<Empty>> {
  return await member.write([], async (writing, { room: { kind, roomId } }) => {
    const { db } = writing;
    const facts = await messageFacts(db, kind, roomId, messageId);
    if (!facts) return refuse('access/not-found');
    if (facts.isDeleted) return accept({});
    await blankMessage(db, kind, roomId, messageId);
    await removeStampsOn(db, kind, roomId, messageId);
    await replaceEntries(db, roomStream(roomId), messageId, (change) =>
      isSending(change, messageId) ? { ...change, message: blank(change.message) } : null,
    );
    await writing.append(roomStream(roomId), { type: 'rooms/messageDeleted', messageId });
    return accept({});
  });
}

async function stamp(
  { caller: { uid }, write }: Member,
  { messageId, stamp: name, isOn }: Payload<'rooms/stamp'>,
): Promise<Result<Empty>> {
  return await write([], async (writing, { room: { kind, roomId } }) => {
    const { db } = writing;
    const facts = await messageFacts(db, kind, roomId, messageId);
    if (!facts || facts.isDeleted) return refuse('access/not-found');
    if (!(await setStamp(db, kind, roomId, { messageId, uid, stamp: name }, isOn))) return accept({});
    const count = await stampCount(db, kind, roomId, messageId, name);
    await writing.append(roomStream(roomId), { type: 'rooms/stamped', messageId, uid, stamp: name, isOn, count });
    return accept({});
  });
}

async function cheer(
  { caller: { uid }, write }: Member,
  { stamp: name }: Payload<'rooms/cheer'>,
): Promise<Result<Empty>> {
  return await write([], async (writing, { room: { roomId } }) => {
    await writing.append(roomStream(roomId), { type: 'rooms/cheered', uid, stamp: name });
    return accept({});
  });
}

export const sentMessages = {
  handlers: {
    'rooms/deleteMessage': deleteMessage,
    'rooms/stamp': stamp,
    'rooms/cheer': cheer,
  } satisfies Partial<Handlers>,
};
