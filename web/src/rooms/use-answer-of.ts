/** Asks the server for something in a room, and shows a refusal in the room's colour. */
import type { Result, RoomKind } from '@tunemate/protocol';
import { useModals } from '../ui/dialogs/modals.ts';
import { type Instead, sentenceOf } from '../words/errors.ts';
import { factsOf } from './room-kinds.ts';

/** The function resolves to the value of the answer; to null once the user has read why it was refused. */
export function useAnswerOf(kind: RoomKind) {
  const modals = useModals();
  return async <Value>(asked: Promise<Result<Value>>, instead?: Instead): Promise<Value | null> => {
    const answer = await asked;
    if (answer.ok) return answer.value;
    await modals.ok(sentenceOf(answer.error, instead), { band: factsOf(kind).ink });
    return null;
  };
}
