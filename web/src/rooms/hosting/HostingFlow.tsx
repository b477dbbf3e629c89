/**
 * The steps of handing over a room: opens the dialog that the user or an offer needs, and sends the answers. Loaded
 * with the first dialog; stays mounted to see how an offer ends.
 */
import { type HandOver, limits } from '@tunemate/protocol';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useApp } from '../../app-context.ts';
import { matchPath, navigate } from '../../store/address.ts';
import { useBusy } from '../../store/use-busy.ts';
import { useReadable } from '../../store/use-readable.ts';
import { factsOf } from '../room-kinds.ts';
import { useAnswerOf } from '../../words/use-answer-of.ts';
import { isVisitTo } from '../visit/current-visit.ts';
import type { RoomView } from '../visit/visit.ts';
import {
  HostingDialogs,
  type HostingDialogsProps,
  type HostingStep,
  type OpenOffer,
  type Relation,
} from './HostingDialogs.tsx';

export type HostingFlowProps = Pick<RoomView, 'kind' | 'visit' | 'state' | 'self'> &
  Pick<HostingDialogsProps, 'step' | 'onStep' | 'onOffer' | 'onEnd'>;

export function HostingFlow({ kind, visit, state: { room }, self, step, onStep, onOffer, ...ways }: HostingFlowProps) {
  const { connection, visit: open } = useApp();
  const address = { kind, code: room.code };
  const offer = useOpenOffer(room.handOver, visit.clockSync.serverNow);
  const expectTakeBack = useOfferResult(offer, room.host === self.uid, room.participants, onStep);
  const relationOf = useRelations();
  const { run } = useBusy();
  const answerOf = useAnswerOf({ band: factsOf(kind).ink });
  /** The host goes and stays the host. */
  const letHousePlay = async (): Promise<void> => {
    onStep(null);
    if ((await answerOf(connection.request('rooms/letHousePlay', address))) === null) return;
    if (open.get() === visit) open.end();
    // A host who is on another screen by now stays there.
    const shown = matchPath(factsOf(kind).roomPath(':code'), location.pathname)?.['code'];
    if (shown !== undefined && isVisitTo(visit, { kind, code: shown })) navigate('/');
  };
  return (
    <HostingDialogs
      room={room}
      selfUid={self.uid}
      band={factsOf(kind).ink}
      step={step}
      offer={offer}
      relationOf={relationOf}
      onStep={onStep}
      onFind={(letters) => visit.roster.get()?.find(letters)}
      {...ways}
      onLetHousePlay={() => void letHousePlay()}
      onOffer={onOffer}
      onTakeBack={() =>
        run(async () => {
          expectTakeBack(true);
          if ((await answerOf(connection.request('rooms/takeBackHosting', address))) === null) expectTakeBack(false);
        })
      }
      onAnswer={(takes) => {
        const { tabId } = connection;
        run(() => answerOf(connection.request('rooms/answerHosting', { ...address, takes, tabId })));
      }}
    />
  );
}

function useRelations(): (uid: string) => Relation {
  const { tunemates, soulmate } = useApp();
  const mates = useReadable(tunemates.tunemates) ?? [];
  const pair = useReadable(soulmate.soulmate);
  return (uid) => {
    if (pair.status === 'bound' && pair.soulmate.uid === uid) return 'soulmate';
    return mates.some((mate) => mate.uid === uid) ? 'tunemate' : null;
  };
}

/**
 * An offer that ends while the user is still the host was declined or has expired, unless the user took it back: call
 * the returned function before that.
 */
function useOfferResult(
  offer: OpenOffer | null,
  isHost: boolean,
  people: readonly { uid: string; name: string }[],
  onStep: (step: HostingStep) => void,
): (isExpected: boolean) => void {
  const takenBack = useRef(false);
  const before = useRef<{ name: string; leaves: boolean } | null>(null);
  const judge = useEffectEvent((now: OpenOffer | null) => {
    const ended = before.current;
    const name = now === null ? '' : (people.find(({ uid }) => uid === now.to)?.name ?? '');
    // When the offer is accepted, the host changes before the offer ends.
    before.current = now !== null && isHost ? { name, leaves: now.leaves } : null;
    if (now !== null || ended === null) return;
    if (isHost && !takenBack.current) onStep({ type: 'cannot', ...ended });
    takenBack.current = false;
  });
  useEffect(() => judge(offer), [offer]);
  return (isExpected) => {
    takenBack.current = isExpected;
  };
}

/** Null once the offer has expired. `serverNow` is NaN before the clock is known; then the offer counts as new. */
function useOpenOffer(handOver: HandOver | null, serverNow: () => number): OpenOffer | null {
  const [seen, setSeen] = useState<OpenOffer | null>(null);
  useEffect(() => {
    if (handOver === null) return undefined;
    const left = handOver.untilMs - serverNow();
    const leftMs = Number.isNaN(left) ? limits.handOverMs : Math.min(limits.handOverMs, left);
    const opens = setTimeout(() => setSeen(leftMs > 0 ? { ...handOver, leftMs } : null), 0);
    const closes = setTimeout(() => setSeen(null), Math.max(0, leftMs));
    return () => {
      clearTimeout(opens);
      clearTimeout(closes);
    };
  }, [handOver, serverNow]);
  return handOver !== null && seen?.untilMs === handOver.untilMs ? seen : null;
}
