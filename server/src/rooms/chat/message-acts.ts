/**
 * What is done to a room's message after it was sent. For 15 minutes its sender edits or deletes it; the host deletes any.
 * Each is one entry of the room's stream. The text of a deleted message is then stored nowhere, nor in the stream, nor in
 * what others quoted of it.
 */
import { editableForMs, refusalToEdit } from '@tunemate/domain';
import { type Payload, type Result, type RoomMessage, roomStream } from '@tunemate/protocol';
import type { Member } from '../../access/subjects.ts';
import type { Change } from '../../storage/record.ts';
import { replacedEntries } from '../../storage/replace-entries.ts';
import { accept, refuse } from '../../system/ports.ts';
import { blankMessage, factsForDeletion, messageFacts, saveEdit } from './room-chat-store.ts';
import { removeStampsOn } from './stamps-store.ts';

type Done = Result<Record<string, never>>;

export async function editMessage(
  { caller, write }: Member,
  { messageId, clientId, text, edits }: Payload<'rooms/editMessage'>,
): Promise<Done> {
  return await write([], async ({ db, nowMs, append }, { role, room: { kind, roomId, slowSeconds } }) => {
    const facts = await messageFacts(db, kind, roomId, messageId);
    if (!facts) return refuse('access/not-found');
    // The answer to an earlier attempt was lost.
    if (facts.sender === caller.uid && facts.editId === clientId) return accept({});
    const state = facts.isDeleted ? 'deleted' : 'shown';
    const message = {
      ...facts,
      sender: facts.sender as typeof caller.uid,
      timestamp: facts.timestampMs,
      state,
    } as const;
    // One message edited again and again would be a chat that is not slow.
    const isClosed = slowSeconds !== null && role !== 'host' && facts.edits > 0;
    const refusal = refusalToEdit({ message, isClosed, nowMs }, caller.uid, edits);
    if (refusal) return refuse(refusal);
    await saveEdit(db, kind, roomId, messageId, { text, edits, edit_id: clientId });
    await append(roomStream(roomId), { type: 'rooms/messageEdited', messageId, text, edits });
    return accept({});
  });
}

export async function deleteMessage(
  { caller, write }: Member,
  { messageId }: Payload<'rooms/deleteMessage'>,
): Promise<Done> {
  return await write([], async ({ db, nowMs, append, replace }, { role, room: { kind, roomId } }) => {
    const known = await factsForDeletion(db, kind, roomId, messageId);
    if (role !== 'host') {
      if (known?.facts.sender !== caller.uid) return refuse('room/host-only');
      if (editableForMs(known.facts.timestampMs, nowMs) <= 0) return refuse('access/forbidden');
    }
    if (!known) return refuse('access/not-found');
    if (known.facts.isDeleted) return accept({});
    await blankMessage(db, kind, roomId, messageId);
    if (known.hasStamps) await removeStampsOn(db, kind, roomId, messageId);
    replace(replacedEntries(known.mentions, (change) => without(change, messageId)));
    await append(roomStream(roomId), { type: 'rooms/messageDeleted', messageId });
    return accept({});
  });
}

/** The stored change without the words of this message; null when it has none. */
function without(change: Change, messageId: string): Change | null {
  if (change.type === 'rooms/messageEdited' && change.messageId === messageId) return { ...change, text: '' };
  if (change.type !== 'rooms/messageSent') return null;
  const { message } = change;
  if (message.id === messageId) return { ...change, message: blank(message) };
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
