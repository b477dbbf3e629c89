/** The host's answer to a request; a refusal is said in a dialog. */
import { sentenceOf } from '../copy/errors.ts';
import { useModals } from '../ui/dialogs/modals.ts';
import type { BandInk } from '../ui/inks.ts';
import type { RoomModel } from './room-model.ts';

export type Answer = (uid: string, given: 'accept' | 'reject') => Promise<void>;

export function useAnswer(room: Pick<RoomModel, 'answerRequest'>, band: BandInk): Answer {
  const modals = useModals();
  return async (uid, given) => {
    const outcome = await room.answerRequest(uid, given);
    if (!outcome.ok) await modals.ok(sentenceOf(outcome.refusal), { band });
  };
}
