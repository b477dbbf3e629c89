/** Leaving a room and handing it over. The dialogs are loaded when one of them is needed. */
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useApp } from '../../app-context.ts';
import { sentenceOf } from '../../words/errors.ts';
import { lazyPart } from '../../store/lazy-part.ts';
import { useModals } from '../../ui/dialogs/modals.ts';
import { useToast } from '../../ui/feedback/toasts.ts';
import type { BandInk } from '../../ui/inks.ts';
import { roomSentences } from '../room-words.ts';
import { factsOf } from '../room-kinds.ts';
import type { RoomView } from '../visit/visit.ts';
import { hostName, type RoomModel } from '../visit/room-model.ts';
import type { HostingStep } from './HostingDialogs.tsx';
import type { HostingFlowProps } from './HostingFlow.tsx';
import { t } from '../../language/t.ts';

const HostingFlow = lazyPart(async () => (await import('./HostingFlow.tsx')).HostingFlow);

export type Hosting = ReturnType<typeof useHosting>;

export function useHosting(view: Pick<RoomView, 'kind' | 'visit' | 'state' | 'self'>) {
  const { kind, visit, state, self } = view;
  const { room } = state;
  const { connection } = useApp();
  const { ink } = factsOf(kind);
  const isHost = room.host === self.uid;
  const [step, setStep] = useState<HostingStep | null>(null);
  const [path] = useLocation();
  const [askedAt, setAskedAt] = useState(path);
  const [isNeeded, setIsNeeded] = useState(false);
  const modals = useModals();
  const leave = useLeave(visit.room, room.name, isHost, ink);
  useHostToast(room.host, self.uid, hostName(room));
  // A dialog closes when the host goes to another screen; an open offer goes on.
  if (askedAt !== path) {
    setAskedAt(path);
    setStep(null);
  }
  if (!isNeeded && (step !== null || room.handOver !== null)) setIsNeeded(true);

  const showRefusal: HostingFlowProps['showRefusal'] = async (asked) => {
    const answer = await asked;
    if (!answer.ok) await modals.ok(sentenceOf(answer.error), { band: ink });
  };
  const handOver = (uid: string, leaves: boolean): void => {
    setStep(null);
    void showRefusal(connection.request('rooms/offerHosting', { kind, code: room.code, uid, leaves }));
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
      <Suspense>
        <HostingFlow
          {...view}
          {...{ step, showRefusal }}
          onStep={setStep}
          onOffer={handOver}
          onEnd={end}
          onMissing={() => {
            setStep(null);
            if (room.handOver === null) setIsNeeded(false);
          }}
        />
      </Suspense>
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

function useLeave(room: RoomModel, name: string, isHost: boolean, band: BandInk) {
  const modals = useModals();
  async function now(): Promise<void> {
    const result = await room.leave(isHost);
    if (!result.ok) await modals.ok(sentenceOf(result.error), { band });
  }
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
        band,
      });
      if (isConfirmed) await now();
    },
  };
}
