/** The next step on the way to a soulmate: choosing, taking back, or listening together, for the card and the sidebar. */
import type { AskedSoulmate, UserCard } from '@tunemate/protocol';
import { Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import { useApp } from '../app-context.ts';
import { newClientId } from '../connection/ids.ts';
import { sentenceOf } from '../words/errors.ts';
import { nameTogether, soulmateWords } from '../soulmate/soulmate-words.ts';
import { useTakeBack } from '../soulmate/use-take-back.ts';
import { lazyPart } from '../store/lazy-part.ts';
import { useBusy } from '../store/use-busy.ts';
import { useReadable } from '../store/use-readable.ts';
import { tunemateWords } from '../tunemates/tunemate-words.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { useModals } from '../ui/dialogs/modals.ts';
import { useToast } from '../ui/feedback/toasts.ts';
import { CloseIcon, HeadphonesIcon } from '../ui/icons/icons.tsx';
import { ChevronRightIcon } from '../ui/icons/inside-icons.tsx';
import type { Elements } from '../ui/OwnText.tsx';

const ChooseSoulmate = lazyPart(async () => (await import('./ChooseSoulmate.tsx')).ChooseSoulmate);

export interface SoulmateWay {
  /** The newest pending request; null for none, and for a user who has a soulmate. */
  readonly asked: AskedSoulmate | null;
  readonly choose: () => void;
  /** Goes above the link to the soulmate room. */
  readonly key: Elements;
  readonly dialog: Elements;
}

export function useSoulmateWay(self: UserCard): SoulmateWay {
  const { soulmate } = useApp();
  const bond = useReadable(soulmate.soulmate);
  const waiting = useReadable(soulmate.asked)[0] ?? null;
  const [isChoosing, setIsChoosing] = useState(false);
  const { isBusy, run } = useBusy();
  const listen = useListenTogether();
  const takeBack = useTakeBack();
  const asked = bond.status === 'bound' ? null : waiting;
  const choose = (): void => setIsChoosing(true);

  function key(): Elements {
    if (bond.status === 'bound') {
      return (
        <Button variant="ink" busy={isBusy} onClick={() => run(() => listen(self, bond.soulmate))}>
          <span>{soulmateWords.listen}</span>
          <HeadphonesIcon />
        </Button>
      );
    }
    if (asked !== null) {
      return (
        <Button variant="inkLine" onClick={() => void takeBack(asked)}>
          <span>{soulmateWords.takeBack}</span>
          <CloseIcon />
        </Button>
      );
    }
    return (
      <Button variant="ink" aria-haspopup="dialog" onClick={choose}>
        <span>{soulmateWords.choose}</span>
        <ChevronRightIcon />
      </Button>
    );
  }

  return {
    asked,
    choose,
    key: key(),
    dialog: isChoosing && (
      <Suspense>
        <ChooseSoulmate onClose={() => setIsChoosing(false)} />
      </Suspense>
    ),
  };
}

/** Opens an audio room, invites the soulmate into it, and goes there. */
function useListenTogether(): (self: UserCard, soulmate: UserCard) => Promise<void> {
  const { connection, visit } = useApp();
  const modals = useModals();
  const toast = useToast();
  const [, navigate] = useLocation();

  /** A tab visits one room at a time: asks before it leaves the current one. */
  async function isFree(selfUid: string): Promise<boolean> {
    const room = visit.get()?.room.state.get()?.room;
    if (room === undefined) return true;
    const isSure = await modals.confirm({
      question: soulmateWords.leaveFirst(room.name),
      consequence: soulmateWords.leaveConsequence(room.host === selfUid),
      action: soulmateWords.leaveAction,
      band: 'blush',
    });
    if (isSure) visit.end();
    return isSure;
  }

  return async (self, { uid, name }) => {
    if (!(await isFree(self.uid))) return;
    const kind = 'audio';
    const asked = { clientId: newClientId(), kind, name: nameTogether(self.name, name) } as const;
    const created = await connection.requestUntilAnswered('rooms/create', asked);
    if (!created.ok) return await modals.ok(soulmateWords.failed, { text: sentenceOf(created.error), band: 'blush' });
    const { code } = created.value;
    const invitation = { clientId: newClientId(), uid, room: { kind, code } } as const;
    const invited = await connection.requestUntilAnswered('notifications/invite', invitation);
    navigate(`/audio-room/${code}`);
    if (invited.ok) toast(tunemateWords.invitationSentTo(name));
    else await modals.ok(soulmateWords.notInvited(name), { text: sentenceOf(invited.error), band: 'blush' });
  };
}
