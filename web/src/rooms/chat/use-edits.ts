/** Edits of the user in a room: shown at once, and sent until the server has answered them. */
import type { Refusal, RoomDocument } from '@tunemate/protocol';
import { useState } from 'react';
import { useApp } from '../../app-context.ts';
import { newClientId } from '../../connection/ids.ts';
import { replyWords } from '../../messages/reply-words.ts';
import { sentenceOf } from '../../words/errors.ts';
import type { ChatBubble } from './chat-model.ts';

type Show = (bubble: ChatBubble) => ChatBubble;

/** `onRefused` gets the text that was not stored, and why. */
export function useEdits(
  { kind, code, slowSeconds }: RoomDocument,
  onRefused: (text: string, sentence: string) => void,
) {
  const { connection } = useApp();
  /** By message: what an edit that is not answered makes of its bubble. */
  const [edited, setEdited] = useState<ReadonlyMap<string, Show>>(new Map());
  async function edit(messageId: string, text: string, edits: number): Promise<void> {
    const show: Show = (bubble) =>
      bubble.isDeleted || (bubble.edits ?? 0) >= edits ? bubble : { ...bubble, text, edits, isSending: true };
    setEdited((now) => new Map([...now, [messageId, show]]));
    const change = { kind, code, messageId, clientId: newClientId(), text, edits };
    const answer = await connection.requestUntilAnswered('rooms/editMessage', change);
    if (!answer.ok) onRefused(text, notEditedBecause(answer.error, typeof slowSeconds === 'number'));
    setEdited((now) => new Map([...now].filter(([id, each]) => id !== messageId || each !== show)));
  }
  return { edited, edit: (...change: Parameters<typeof edit>) => void edit(...change) };
}

/** Why an edit was not stored. */
function notEditedBecause(refusal: Refusal, isSlow: boolean): string {
  const instead = {
    'access/forbidden': isSlow ? replyWords.editedOnce : replyWords.tooLateToEdit,
    'access/not-found': replyWords.messageDeleted,
    'input/conflict': replyWords.editedElsewhere,
  };
  return `${replyWords.notChanged} ${sentenceOf(refusal, instead)}`;
}
