/** What the host does at the door besides single answers, and the notices about it. A refusal is said in a dialog. */
import type { Admission, Result } from '@tunemate/protocol';
import { useEffect, useEffectEvent, useState } from 'react';
import { sentenceOf, sentences } from '../../copy/errors.ts';
import { useModals } from '../../ui/dialogs/modals.ts';
import { useToast } from '../../ui/feedback/toasts.ts';
import type { BandInk } from '../../ui/inks.ts';
import { admissionWords, letIn } from '../join/admission-words.ts';
import type { AllAccepted, RoomModel } from '../visit/room-model.ts';

export interface Door {
  readonly isAcceptingAll: boolean;
  acceptAll(uids: readonly string[]): Promise<void>;
  setAdmission(admits: Admission): Promise<void>;
}

/** A visit to a room, as far as the door is concerned. */
export interface DoorPorts {
  readonly room: Pick<RoomModel, 'setAdmission' | 'cameIn'>;
  acceptAll(uids: readonly string[]): Promise<Result<AllAccepted>>;
}

export function useDoor({ room, acceptAll }: DoorPorts, band: BandInk): Door {
  const modals = useModals();
  const toast = useToast();
  const [isAcceptingAll, setIsAcceptingAll] = useState(false);
  const welcome = useEffectEvent((name: string) => toast(admissionWords.cameIn(name)));
  useEffect(() => room.cameIn.subscribe(({ name }) => welcome(name)), [room]);
  return {
    isAcceptingAll,
    async acceptAll(uids) {
      setIsAcceptingAll(true);
      const result = await acceptAll(uids).finally(() => setIsAcceptingAll(false));
      if (!result.ok) return await modals.ok(sentenceOf(result.error), { band });
      const { inside, isFull } = result.value;
      if (inside > 0) toast(letIn(inside));
      if (isFull) await modals.ok(sentences['room/full'], { band });
    },
    async setAdmission(admits) {
      const result = await room.setAdmission(admits);
      if (!result.ok) await modals.ok(sentenceOf(result.error), { band });
    },
  };
}
