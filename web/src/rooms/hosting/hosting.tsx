/** Leaving a room, handing it over, and the host's actions on a participant. Each dialog is loaded when it is needed. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { usePath } from '../../store/address.ts';
import { useApp } from '../../app-context.ts';
import { lazyPart } from '../../store/lazy-part.ts';
import { fetchPart } from '../../store/lost-parts.ts';
import { useModals } from '../../ui/dialogs/modals.ts';
import { useToast } from '../../ui/feedback/toasts.ts';
import { factsOf } from '../room-kinds.ts';
import { useAnswerOf } from '../../words/use-answer-of.ts';
import type { RoomView } from '../visit/visit.ts';
import { hostName, type RoomModel } from '../visit/room-model.ts';
import type { HostingStep } from './HostingDialogs.tsx';
import { t } from '../../language/t.ts';
import type { RoomKind, UserCard } from '@tunemate/protocol';
import type { PressedPerson } from './PersonDialog.tsx';

const HostingFlow = lazyPart(async () => (await import('./HostingFlow.tsx')).HostingFlow);

export type Hosting = ReturnType<typeof useHosting>;

export function useHosting(view: Pick<RoomView, 'kind' | 'visit' | 'state' | 'self'>) {
  const { kind, visit, state, self } = view;
  const { room } = state;
  const { connection } = useApp();
  const isHost = room.host === self.uid;
  const [step, setStep] = useState<HostingStep | null>(null);
  const path = usePath();
  const [askedAt, setAskedAt] = useState(path);
  const [isNeeded, setIsNeeded] = useState(false);
  const answerOf = useAnswerOf({ band: factsOf(kind).ink });
  const leave = useLeave(visit.room, room.name, isHost, kind);
  useHostToast(room.host, self.uid, hostName(room));
  // A dialog closes when the host goes to another screen; an open offer goes on.
  if (askedAt !== path) {
    setAskedAt(path);
    setStep(null);
  }
  if (!isNeeded && (step !== null || room.handOver !== null)) setIsNeeded(true);

  const handOver = (uid: string, leaves: boolean): void => {
    setStep(null);
    void answerOf(connection.request('rooms/offerHosting', { kind, code: room.code, uid, leaves }));
  };
  const end = (): void => {
    setStep(null);
    void leave.now();
  };
  return {
    leave: (): void => (isHost && room.people > 1 ? setStep({ type: 'leave' }) : void leave.ask()),
    /** The host hands the room to this person and stays. */
    handOverTo: (uid: string): void => handOver(uid, false),
    dialogs: isNeeded && (
      <HostingFlow
        {...view}
        step={step}
        onStep={setStep}
        onOffer={handOver}
        onEnd={end}
        onMissing={() => {
          setStep(null);
          if (room.handOver === null) setIsNeeded(false);
        }}
      />
    ),
  };
}

function useHostToast(host: string, selfUid: string, name: string): void {
  const toast = useToast();
  const known = useRef(host);
  const show = useEffectEvent((now: string) => {
    if (known.current === now) return;
    known.current = now;
    toast(now === selfUid ? t`You host now` : t`${name} hosts now`);
  });
  useEffect(() => show(host), [host]);
}

function useLeave(room: RoomModel, name: string, isHost: boolean, kind: RoomKind) {
  const modals = useModals();
  const answerOf = useAnswerOf({ band: factsOf(kind).ink });
  const now = () => answerOf(room.leave(isHost));
  return {
    now,
    /** After a confirmation. */
    async ask(): Promise<void> {
      const { leaveRoom } = await fetchPart(() => import('../visit/leaving.tsx'));
      if (await modals.confirm({ ...leaveRoom(name, isHost), band: factsOf(kind).ink })) await now();
    },
  };
}

const PersonDialog = lazyPart(async () => (await import('./PersonDialog.tsx')).PersonDialog);

export type Moderation = ReturnType<typeof useModeration>;

/** The sheet about a participant, with the host's actions. */
export function useModeration(
  { visit, state: { room }, self }: Pick<RoomView, 'visit' | 'state' | 'self'>,
  makeHost: (uid: string) => void,
) {
  const [open, setOpen] = useState<PressedPerson | null>(null);
  return {
    /** Opens the sheet about a person, who may have left; `messageId` is the message to report. */
    onPerson: (card: UserCard, messageId?: string): void => {
      // In a large room the page may not know this person.
      visit.roster.get()?.know([card.uid]);
      setOpen({ card, isRemoving: false, messageId });
    },
    dialog: open !== null && (
      <PersonDialog
        room={room}
        isMine={room.host === self.uid}
        pressed={open}
        onMakeHost={makeHost}
        onAskRemove={() => setOpen({ card: open.card, isRemoving: true })}
        onClose={() => setOpen(null)}
      />
    ),
  };
}
