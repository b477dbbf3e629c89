/** Leaving a room: asks for a confirmation, worded for a host or a guest. The room model then ends the visit. */
import type { RoomModel } from './room-model.ts';
import { sentenceOf } from '../copy/errors.ts';
import { useModals } from '../ui/dialogs/modals.ts';
import type { BandInk } from '../ui/inks.ts';

export function useLeave(room: RoomModel, name: string, isHost: boolean, band: BandInk): () => Promise<void> {
  const modals = useModals();
  return async () => {
    const isSure = await modals.confirm({
      question: isHost ? `Leave and end ${name}?` : `Leave ${name}?`,
      consequence: isHost
        ? 'You are the host. The room closes for everyone in it.'
        : 'To come back you need the host to let you in again.',
      action: 'Leave',
      danger: true,
      band,
    });
    if (!isSure) return;
    const outcome = await room.leave();
    if (!outcome.ok) await modals.ok(sentenceOf(outcome.refusal), { band });
  };
}
