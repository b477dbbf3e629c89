/** Every dialog about who hosts a room; which of them is shown is decided by `useHosting`. */
import type { RoomDocument } from '@tunemate/protocol';
import type { BandInk } from '../../ui/inks.ts';
import { AskedDialog, AskingDialog, CannotDialog } from './AskingDialogs.tsx';
import { candidatesFor, type Relation } from './candidates.ts';
import { LeaveDialog } from './LeaveDialog.tsx';
import { PickHost } from './PickHost.tsx';
import type { OpenOffer } from './use-open-offer.ts';

/** Where the host is on the way to another host. */
export type HostingStep =
  | { readonly type: 'leave' }
  | { readonly type: 'pick'; readonly leaves: boolean }
  | { readonly type: 'cannot'; readonly name: string; readonly leaves: boolean };

export interface HostingDialogsProps {
  room: RoomDocument;
  selfUid: string;
  band: BandInk;
  step: HostingStep | null;
  offer: OpenOffer | null;
  /** What each person is to the user. */
  relationOf: (uid: string) => Relation;
  onStep: (step: HostingStep | null) => void;
  /** These letters are looked for among people whom the page may not know yet. */
  onFind: (letters: string) => void;
  onEnd: () => void;
  onOffer: (uid: string, leaves: boolean) => void;
  onTakeBack: () => void;
  onAnswer: (takes: boolean) => void;
}

export function HostingDialogs(props: HostingDialogsProps) {
  const { room, selfUid, band, step, offer, relationOf, onStep } = props;
  const others = room.people - 1;
  const nameOf = (uid: string): string => room.participants.find((person) => person.uid === uid)?.name ?? '';
  if (offer !== null && offer.to === selfUid) {
    const asked = { host: nameOf(room.host), room: room.name, others, leftMs: offer.leftMs, band };
    return <AskedDialog {...asked} onAnswer={props.onAnswer} />;
  }
  if (room.host !== selfUid) return null;
  if (offer !== null) return <AskingDialog name={nameOf(offer.to)} band={band} onTakeBack={props.onTakeBack} />;
  if (step?.type === 'leave') {
    return (
      <LeaveDialog
        room={room.name}
        others={others}
        band={band}
        onCancel={() => onStep(null)}
        onEnd={props.onEnd}
        onHandOver={() => onStep({ type: 'pick', leaves: true })}
      />
    );
  }
  if (step?.type === 'pick') {
    return (
      <PickHost
        candidates={candidatesFor(room, relationOf)}
        leaves={step.leaves}
        onFind={props.onFind}
        band={band}
        onBack={() => onStep(step.leaves ? { type: 'leave' } : null)}
        onPick={(uid) => props.onOffer(uid, step.leaves)}
      />
    );
  }
  if (step?.type === 'cannot') {
    return (
      <CannotDialog
        name={step.name}
        band={band}
        onStay={() => onStep(null)}
        onChooseAgain={() => onStep({ type: 'pick', leaves: step.leaves })}
      />
    );
  }
  return null;
}
