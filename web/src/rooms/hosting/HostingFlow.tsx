/**
 * The dialogs about who hosts a room: opens the one that the host asked for, or that an offer needs, and asks the server
 * for what they answer. Loaded when the first of them is needed; stays then, to see how an offer ends.
 */
import { useEffect, useEffectEvent, useRef } from 'react';
import { useApp } from '../../app-context.ts';
import type { Relation } from './candidates.ts';
import { HostingDialogs, type HostingStep } from './HostingDialogs.tsx';
import type { HostingRequests } from './hosting-requests.ts';
import { type OpenOffer, useOpenOffer } from './use-open-offer.ts';
import { factsOf } from '../room-kinds.ts';
import { useReadable } from '../../store/use-readable.ts';
import type { RoomView } from '../visit/Stage.tsx';

export interface HostingFlowProps extends Pick<RoomView, 'kind' | 'session' | 'state' | 'self'> {
  step: HostingStep | null;
  onStep: (step: HostingStep | null) => void;
  requests: HostingRequests;
  /** Says what was refused. */
  tell: (asked: ReturnType<HostingRequests['offer']>) => Promise<void>;
  onOffer: (uid: string, leaves: boolean) => void;
  onEnd: () => void;
}

export function HostingFlow({ kind, session, state: { room }, self, step, onStep, ...acts }: HostingFlowProps) {
  const { requests, tell, onOffer, onEnd } = acts;
  const offer = useOpenOffer(room.handOver, session.clockSync.serverNow);
  const expectEnd = useOfferResult(offer, room.host === self.uid, room.participants, onStep);
  const relationOf = useRelations();
  return (
    <HostingDialogs
      room={room}
      selfUid={self.uid}
      band={factsOf(kind).ink}
      step={step}
      offer={offer}
      relationOf={relationOf}
      onStep={onStep}
      onFind={(letters) => session.roster.get()?.find(letters)}
      onEnd={onEnd}
      onOffer={onOffer}
      onTakeBack={() => {
        expectEnd();
        void tell(requests.takeBack());
      }}
      onAnswer={(takes) => void tell(requests.answer(takes))}
    />
  );
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
