/** Leaving a room, handing it over, and the host's actions on a participant. Each dialog is loaded when it is needed. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { usePath } from '../../store/address.ts';
import { useApp } from '../../app-context.ts';
import { sentenceOf } from '../../words/errors.ts';
import { lazyPart } from '../../store/lazy-part.ts';
import { useModals } from '../../ui/dialogs/modals.ts';
import { useToast } from '../../ui/feedback/toasts.ts';
import { roomSentences } from '../room-words.ts';
import { factsOf } from '../room-kinds.ts';
import { useAnswerOf } from '../../words/use-answer-of.ts';
import type { RoomView } from '../visit/visit.ts';
import { hostName, type RoomModel } from '../visit/room-model.ts';
import type { HostingStep } from './HostingDialogs.tsx';
import { t } from '../../language/t.ts';
import type { RoomKind, Uid, UserCard } from '@tunemate/protocol';
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
    toast(now === selfUid ? roomSentences.youHostNow : t`${name} hosts now`);
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
      const isConfirmed = await modals.confirm({
        question: isHost ? t`Leave and end ${name}?` : t`Leave ${name}?`,
        consequence: isHost
          ? t`You are the host. The room closes for everyone in it.`
          : t`To come back you need the host to let you in again.`,
        action: t`Leave`,
        danger: true,
        band: factsOf(kind).ink,
      });
      if (isConfirmed) await now();
    },
  };
}

const PersonDialog = lazyPart(async () => (await import('./PersonDialog.tsx')).PersonDialog);

export type Moderation = ReturnType<typeof useModeration>;

/** The sheet about a participant, with the host's actions. */
export function useModeration(
  { kind, visit, state: { room }, self }: Pick<RoomView, 'kind' | 'visit' | 'state' | 'self'>,
  makeHost: (uid: string) => void,
) {
  const { connection } = useApp();
  const modals = useModals();
  const [open, setOpen] = useState<PressedPerson | null>(null);

  const isMine = room.host === self.uid;
  const address = { kind, code: room.code };
  const showRefusal = async (asked: ReturnType<typeof remove>): Promise<void> => {
    const answer = await asked;
    // The person has left already.
    if (answer.ok || answer.error.code === 'access/not-found') return;
    await modals.ok(sentenceOf(answer.error), { band: factsOf(kind).ink });
  };
  const remove = (whom: string, forGood: boolean) =>
    connection.request('rooms/removeParticipant', { ...address, uid: whom, forGood });
  const lend = (whom: Uid, isLent: boolean) =>
    connection.request('rooms/lendRemote', { ...address, uid: whom, isLent });
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
        isMine={isMine}
        pressed={open}
        onLend={(uid, isLent) => void showRefusal(lend(uid, isLent))}
        onMakeHost={makeHost}
        onAskRemove={() => setOpen({ card: open.card, isRemoving: true })}
        onRemove={(uid, forGood) => void showRefusal(remove(uid, forGood))}
        onClose={() => setOpen(null)}
      />
    ),
  };
}
