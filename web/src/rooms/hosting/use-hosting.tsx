/**
 * Leaving a room and handing it over: what the host or a guest asked for, as far as it needs no dialog. The dialogs are
 * loaded when one of them is needed.
 */
import { Suspense, useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useApp } from '../../app-context.ts';
import { sentenceOf } from '../../copy/errors.ts';
import type { HostingStep } from './HostingDialogs.tsx';
import { hostingRequests } from './hosting-requests.ts';
import { factsOf } from '../room-kinds.ts';
import { hostsNow, roomSentences } from '../room-copy.ts';
import { hostName } from '../visit/room-state.ts';
import { useLeave } from './use-leave.ts';
import { useModals } from '../../ui/dialogs/modals.ts';
import { useToast } from '../../ui/feedback/toasts.ts';
import type { HostingFlowProps } from './HostingFlow.tsx';
import type { RoomView } from '../visit/Stage.tsx';
import { lazyPart } from '../../store/lazy-part.ts';

const HostingFlow = lazyPart(async () => (await import('./HostingFlow.tsx')).HostingFlow);

export interface Hosting {
  /** The person pressed Leave. */
  leave(): void;
  /** The host hands the room to this person and stays. */
  handOverTo(uid: string): void;
  dialogs: ReactNode;
}

type View = Pick<RoomView, 'kind' | 'session' | 'state' | 'self'>;

export function useHosting(view: View): Hosting {
  const { kind, session, state, self } = view;
  const { room } = state;
  const { connection } = useApp();
  const { ink } = factsOf(kind);
  const isHost = room.host === self.uid;
  const [step, setStep] = useState<HostingStep | null>(null);
  const [path] = useLocation();
  const [askedAt, setAskedAt] = useState(path);
  const [isNeeded, setIsNeeded] = useState(false);
  const modals = useModals();
  const leave = useLeave(session.room, room.name, isHost, ink);
  const requests = hostingRequests(connection, { kind, code: room.code });
  useHostToast(room.host, self.uid, hostName(room));
  // What the host is asked belongs to the screen on which they pressed Leave; an offer to somebody goes on.
  if (askedAt !== path) {
    setAskedAt(path);
    setStep(null);
  }
  if (!isNeeded && (step !== null || room.handOver !== null)) setIsNeeded(true);

  const tell: HostingFlowProps['tell'] = async (asked) => {
    const answer = await asked;
    if (!answer.ok) await modals.ok(sentenceOf(answer.error), { band: ink });
  };
  const handOver = (uid: string, leaves: boolean): void => {
    setStep(null);
    void tell(requests.offer(uid, leaves));
  };
  const end = (): void => {
    setStep(null);
    void leave.now();
  };
  return {
    leave: () => (isHost && room.people > 1 ? setStep({ type: 'leave' }) : void leave.ask()),
    handOverTo: (uid) => handOver(uid, false),
    dialogs: isNeeded && (
      <Suspense>
        <HostingFlow
          {...view}
          {...{ step, requests, tell }}
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
  const tell = useEffectEvent((now: string) => {
    if (known.current === now) return;
    known.current = now;
    toast(now === selfUid ? roomSentences.youHostNow : hostsNow(name));
  });
  useEffect(() => tell(host), [host]);
}
