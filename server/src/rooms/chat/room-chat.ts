/**
 * The chat of a room. A message is stored before it is acknowledged. The message itself is the stored answer to its
 * client id: sending it again, however late, gets the same message. Members put stamps on messages, or throw them at the
 * picture: those are sent and stored nowhere, so that an audience that claps does not queue before the host's pause.
 */
import {
  type EphemeralEvent,
  type Payload,
  type Result,
  type RoomMessage,
  roomStream,
  type StreamId,
  type Uid,
} from '@tunemate/protocol';
import { TokenBucket } from '../../access/limits.ts';
import type { Handlers, Member, RoomRow } from '../../access/subjects.ts';
import { type Change, replacedEntries, type StreamRecord } from '../../storage/record.ts';
import { accept, type Ids, type Nothing, refuse } from '../../system/ports.ts';
import {
  appendMessage,
  forgetEarliest,
  messageFacts,
  messagePage,
  nextMessageOf,
  blankMessage,
  factsForDeletion,
  saveEdit,
} from './room-chat-store.ts';
import { setStamp, stampCount, withOwnStamps, removeStampsOn } from './stamps-store.ts';
import { editableForMs, putLatest, refusalToEdit, slowWaitMs } from '@tunemate/domain';
import { type Db, roomTables } from '../../storage/schema.ts';

interface RoomChatDeps {
  record: StreamRecord;
  ids: Ids;
  /** Sends an ephemeral event to all who follow a stream; it may be lost. */
  send: (to: StreamId, event: EphemeralEvent) => void;
}

/** What a picture shows: of a crowd that claps, each member would be sent each clap of each other. */
const cheersShown = { perSecond: 20, atOnce: 40 };
const roomsThatCheer = 2000;

export function roomChatService({ record, ids, send }: RoomChatDeps) {
  const cheers = new Map<string, TokenBucket>();

  async function sendMessage(
    { caller, write }: Member,
    { clientId, text, replyTo }: Payload<'rooms/sendMessage'>,
  ): Promise<Result<{ message: RoomMessage }>> {
    return await write([], async ({ db, nowMs, append }, { room }) => {
      const { roomId } = room;
      const next = await nextMessageOf(db, room, caller.uid, { clientId, replyTo });
      if (!next) return refuse('auth/required');
      const { name, number, sent, reply } = next;
      if (sent) return isSame(sent, text, replyTo) ? accept({ message: sent }) : refuse('input/conflict');
      const waitMs = await slowChatWaitMs(db, room, caller.uid, nowMs);
      if (waitMs > 0) return refuse('limit/too-many', { retryAfterMs: waitMs });
      if (replyTo !== undefined && (reply === null || reply.isGone)) return refuse('access/not-found');
      const message: RoomMessage = {
        id: ids.newId(),
        number,
        clientId,
        sender: caller.uid,
        senderName: name,
        text,
        isDeleted: false,
        timestamp: nowMs,
        stamps: [],
        ...(reply && { reply }),
      };
      await appendMessage(db, room, message);
      await forgetEarliest(db, room, number);
      await append(roomStream(roomId), { type: 'rooms/messageSent', message });
      return accept({ message });
    });
  }

  const cheer = async ({ caller: { uid }, read }: Member, { stamp: name }: Payload<'rooms/cheer'>) =>
    await read(async ({ room: { roomId } }) => {
      const known = cheers.get(roomId) ?? new TokenBucket(cheersShown.perSecond, cheersShown.atOnce);
      const isShown = putLatest(cheers, roomId, known, roomsThatCheer).take();
      if (isShown) send(roomStream(roomId), { type: 'rooms/cheered', roomId, uid, stamp: name });
      return accept({});
    });

  return {
    handlers: {
      'rooms/editMessage': editMessage,
      'rooms/deleteMessage': deleteMessage,
      'rooms/stamp': stamp,
      'rooms/cheer': cheer,
      'rooms/sendMessage': sendMessage,
      'rooms/earlierMessages': ({ caller, read }, { before, downTo }) =>
        read(async ({ room }) =>
          accept(await withOwnStamps(record.db, room, caller.uid, await messagePage(record.db, room, before, downTo))),
        ),
    } satisfies Partial<Handlers>,
  };
}

/** Of what was deleted nothing can be compared any more, and of what was edited no text. */
const isSame = (sent: RoomMessage, text: string, replyTo: string | undefined): boolean =>
  sent.isDeleted || ((sent.edits !== undefined || sent.text === text) && sent.reply?.id === replyTo);

async function stamp(
  { caller: { uid }, write }: Member,
  { messageId, stamp: name, isOn }: Payload<'rooms/stamp'>,
): Promise<Result<Nothing>> {
  return await write([], async (writing, { room }) => {
    const { db } = writing;
    const facts = await messageFacts(db, room, messageId);
    if (!facts || facts.isDeleted) return refuse('access/not-found');
    if (!(await setStamp(db, room, { messageId, uid, stamp: name }, isOn))) return accept({});
    const count = await stampCount(db, room, messageId, name);
    await writing.append(roomStream(room.roomId), { type: 'rooms/stamped', messageId, uid, stamp: name, isOn, count });
    return accept({});
  });
}

/**
 * What is done to a room's message after it was sent. For 15 minutes its sender edits or deletes it; the host deletes any.
 * Each is one entry of the room's stream. The text of a deleted message is then stored nowhere, nor in the stream, nor in
 * what others quoted of it.
 */
async function editMessage(
  { caller, write }: Member,
  { messageId, clientId, text, edits }: Payload<'rooms/editMessage'>,
): Promise<Result<Nothing>> {
  return await write([], async ({ db, nowMs, append }, { role, room }) => {
    const facts = await messageFacts(db, room, messageId);
    if (!facts) return refuse('access/not-found');
    // The answer to an earlier attempt was lost.
    if (facts.sender === caller.uid && facts.editId === clientId) {
      return facts.text === text ? accept({}) : refuse('input/conflict');
    }
    const state = facts.isDeleted ? 'deleted' : 'shown';
    const message = {
      ...facts,
      sender: facts.sender as typeof caller.uid,
      timestamp: facts.timestampMs,
      state,
    } as const;
    // One message edited again and again would be a chat that is not slow.
    const isClosed = room.slowSeconds !== null && role !== 'host' && facts.edits > 0;
    const refusal = refusalToEdit({ message, isClosed, nowMs }, caller.uid, edits);
    if (refusal) return refuse(refusal);
    await saveEdit(db, room, messageId, { text, edits, edit_id: clientId });
    await append(roomStream(room.roomId), { type: 'rooms/messageEdited', messageId, text, edits });
    return accept({});
  });
}

async function deleteMessage(
  { caller, write }: Member,
  { messageId }: Payload<'rooms/deleteMessage'>,
): Promise<Result<Nothing>> {
  return await write([], async ({ db, nowMs, append, replace }, { role, room }) => {
    const known = await factsForDeletion(db, room, messageId);
    if (role !== 'host') {
      if (known?.facts.sender !== caller.uid) return refuse('room/host-only');
      if (editableForMs(known.facts.timestampMs, nowMs) <= 0) return refuse('access/forbidden');
    }
    if (!known) return refuse('access/not-found');
    if (known.facts.isDeleted) return accept({});
    // A host who deletes an own message is its sender.
    const by = known.facts.sender === caller.uid ? {} : ({ isDeletedByHost: true } as const);
    await blankMessage(db, room, messageId, by);
    if (known.hasStamps) await removeStampsOn(db, room, messageId);
    replace(replacedEntries(known.mentions, (change) => without(change, messageId, by)));
    await append(roomStream(room.roomId), { type: 'rooms/messageDeleted', messageId, ...by });
    return accept({});
  });
}

type DeletedBy = Pick<RoomMessage, 'isDeletedByHost'>;

/** The stored change without the words of this message; null when it has none. */
function without(change: Change, messageId: string, by: DeletedBy): Change | null {
  if (change.type === 'rooms/messageEdited' && change.messageId === messageId) return { ...change, text: '' };
  if (change.type !== 'rooms/messageSent') return null;
  const { message } = change;
  if (message.id === messageId) return { ...change, message: { ...blank(message), ...by } };
  const { reply } = message;
  if (reply?.id !== messageId) return null;
  return { ...change, message: { ...message, reply: { ...reply, text: '', isGone: true } } };
}

const blank = ({ reply: _reply, edits: _edits, ...message }: RoomMessage): RoomMessage => ({
  ...message,
  text: '',
  isDeleted: true,
  stamps: [],
});

/**
 * How long this person waits before their next message in a slow chat, so that a crowd can be read. Their last message
 * counts, deleted or not, and also what they sent before they left and came back. Reads nothing while the chat is not slow.
 */
async function slowChatWaitMs(db: Db, room: RoomRow, sender: Uid, nowMs: number): Promise<number> {
  const { kind, roomId, slowSeconds } = room;
  const isHost = room.host === sender;
  if (slowSeconds === null || isHost) return 0;
  const last = await db
    .selectFrom(roomTables[kind].chat)
    .select('timestamp_ms')
    .where('sender', '=', sender)
    .where('room_id', '=', roomId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return slowWaitMs({ slowSeconds, isHost, lastAtMs: last?.timestamp_ms ?? null, nowMs });
}
