/** Leaving a room, after a confirmation or at once. The room model then ends the visit. */
import { sentenceOf } from '../../copy/errors.ts';
import { useModals } from '../../ui/dialogs/modals.ts';
import type { BandInk } from '../../ui/inks.ts';
import type { RoomModel } from '../visit/room-model.ts';

export interface Leaving {
  /** Asks for a confirmation first, worded for a host or a guest. */
  ask(): Promise<void>;
  now(): Promise<void>;
}

export function useLeave(room: RoomModel, name: string, isHost: boolean, band: BandInk): Leaving {
  const modals = useModals();
  async function now(): Promise<void> {
    const result = await room.leave(isHost);
    if (!result.ok) await modals.ok(sentenceOf(result.error), { band });
  }
  return {
    now,
    async ask() {
      const isSure = await modals.confirm({
        question: isHost ? `Leave and end ${name}?` : `Leave ${name}?`,
        consequence: isHost
          ? 'You are the host. The room closes for everyone in it.'
          : 'To come back you need the host to let you in again.',
        action: 'Leave',
        danger: true,
        band,
      });
      if (isSure) await now();
    },
  };
}
