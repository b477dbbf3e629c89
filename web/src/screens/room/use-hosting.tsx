/**
 * Leaving a room and handing it over: which dialog is open, and what its answers ask of the server. The dialogs are
 * loaded when one of them is needed.
 */
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { useApp } from '../../app-context.ts';
import { sentenceOf } from '../../copy/errors.ts';
import { candidatesFor, type Relation } from '../../rooms/hosting/candidates.ts';
import type { HostingStep } from '../../rooms/hosting/HostingDialogs.tsx';
import { hostingRequests } from '../../rooms/hosting/hosting-requests.ts';
import { hostingWords } from '../../rooms/hosting/hosting-words.ts';
import { type OpenOffer, useOpenOffer } from '../../rooms/hosting/use-open-offer.ts';
import { factsOf } from '../../rooms/room-kinds.ts';
import { hostName } from '../../rooms/room-state.ts';
import { useLeave } from '../../rooms/use-leave.ts';
import { useReadable } from '../../store/use-readable.ts';
import { useModals } from '../../ui/dialogs/modals.ts';
import { useToast } from '../../ui/feedback/toasts.ts';
import type { RoomView } from './Stage.tsx';

const Dialogs = lazy(async () => ({
  default: (await import('../../rooms/hosting/HostingDialogs.tsx')).HostingDialogs,
}));

export interface Hosting {
  /** The person pressed Leave. */
  leave(): void;
  /** The host hands the room to this person and stays. */
  handOverTo(uid: string): void;
  dialogs: ReactNode;
}

type View = Pick<RoomView, 'kind' | 'session' | 'state' | 'self'>;

export function useHosting({ kind, session, state, self }: View): Hosting {
  const { room } = state;
  const { connection } = useApp();
  const { ink } = factsOf(kind);
  const isHost = room.host === self.uid;
  const [step, setStep] = useState<HostingStep | null>(null);
  const offer = useOpenOffer(room.handOver, session.clockSync.serverNow);
  const relationOf = useRelations();
  const modals = useModals();
  const leave = useLeave(session.room, room.name, isHost, ink);
  const requests = hostingRequests(connection, { kind, code: room.code });
  const expectEnd = useOfferResult(offer, isHost, room.participants, setStep);
  useHostToast(room.host, self.uid, hostName(room));

  const tell = async (asked: ReturnType<typeof requests.offer>): Promise<void> => {
    const answer = await asked;
    if (!answer.ok) await modals.ok(sentenceOf(answer.error), { band: ink });
  };
  const handOver = (uid: string, leaves: boolean): void => {
    setStep(null);
    void tell(requests.offer(uid, leaves));
  };
  const isNeeded = step !== null || offer !== null;
  return {
    leave: () => (isHost && room.participants.length > 1 ? setStep({ type: 'leave' }) : void leave.ask()),
    handOverTo: (uid) => handOver(uid, false),
    dialogs: isNeeded && (
      <Suspense>
        <Dialogs
          room={room}
          selfUid={self.uid}
          band={ink}
          step={step}
          offer={offer}
          candidates={candidatesFor(room, relationOf)}
          onStep={setStep}
          onEnd={() => {
            setStep(null);
            void leave.now();
          }}
          onOffer={handOver}
          onTakeBack={() => {
            expectEnd();
            void tell(requests.takeBack());
          }}
          onAnswer={(takes) => void tell(requests.answer(takes))}
        />
      </Suspense>
    ),
  };
}

/** What each person is to the user. */
function useRelations(): (uid: string) => Relation {
  const { tunemates, soulmate } = useApp();
  const mates = useReadable(tunemates.tunemates) ?? [];
  const beloved = useReadable(soulmate.soulmate);
  return (uid) => {
    if (beloved.status === 'bound' && beloved.soulmate.uid === uid) return 'soulmate';
    return mates.some((mate) => mate.uid === uid) ? 'tunemate' : null;
  };
}

/**
 * An offer that ends while the user is still the host was declined or expired, unless they said before that they take it
 * back: the function returned.
 */
function useOfferResult(
  offer: OpenOffer | null,
  isHost: boolean,
  people: readonly { uid: string; name: string }[],
  onStep: (step: HostingStep) => void,
): () => void {
  const takenBack = useRef(false);
  const before = useRef<{ name: string; leaves: boolean } | null>(null);
  const judge = useEffectEvent((now: OpenOffer | null) => {
    const ended = before.current;
    const name = now === null ? '' : (people.find(({ uid }) => uid === now.to)?.name ?? '');
    // Whoever takes over is the host by the time their own offer ends.
    before.current = now !== null && isHost ? { name, leaves: now.leaves } : null;
    if (now !== null || ended === null) return;
    if (isHost && !takenBack.current) onStep({ type: 'cannot', ...ended });
    takenBack.current = false;
  });
  useEffect(() => judge(offer), [offer]);
  return () => {
    takenBack.current = true;
  };
}

function useHostToast(host: string, selfUid: string, name: string): void {
  const toast = useToast();
  const known = useRef(host);
  const tell = useEffectEvent((now: string) => {
    if (known.current === now) return;
    known.current = now;
    toast(now === selfUid ? hostingWords.youHost : hostingWords.hostsNow(name));
  });
  useEffect(() => tell(host), [host]);
}
