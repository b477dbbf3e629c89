/** The host's answer to a request; a refusal is said in a dialog. */
import { sentenceOf } from '../../copy/errors.ts';
import { useModals } from '../../ui/dialogs/modals.ts';
import type { BandInk } from '../../ui/inks.ts';
import type { RoomModel } from '../visit/room-model.ts';

export type Answer = (uid: string, given: 'accept' | 'reject') => Promise<void>;

export function useAnswer(room: Pick<RoomModel, 'answerRequest'>, band: BandInk): Answer {
  const modals = useModals();
  return async (uid, given) => {
    const result = await room.answerRequest(uid, given);
    if (!result.ok) await modals.ok(sentenceOf(result.error), { band });
  };
}
