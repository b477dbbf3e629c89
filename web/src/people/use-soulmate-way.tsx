/** The next step on the way to a soulmate: choosing, taking back, or listening together, for the card and the sidebar. */
import type { AskedSoulmate, UserCard } from '@tunemate/protocol';
import { Suspense, useState, type ReactNode } from 'react';
import { useApp } from '../app-context.ts';
import { useBusy } from '../store/use-busy.ts';
import { useReadable } from '../store/use-readable.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { ChevronRightIcon, CloseIcon, HeadphonesIcon } from '../ui/icons/icons.tsx';
import { soulmateCopy } from '../soulmate/soulmate-words.ts';
import { useListenTogether } from './use-listen-together.ts';
import { useTakeBack } from '../soulmate/use-take-back.ts';
import { lazyPart } from '../store/lazy-part.ts';

const ChooseSoulmate = lazyPart(async () => (await import('./ChooseSoulmate.tsx')).ChooseSoulmate);

export interface SoulmateWay {
  /** The newest request that waits; null for none, and for somebody who has a soulmate. */
  readonly asked: AskedSoulmate | null;
  readonly choose: () => void;
  /** Goes above the link to the soulmate room. */
  readonly key: ReactNode;
  readonly dialog: ReactNode;
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

  function key(): ReactNode {
    if (bond.status === 'bound') {
      return (
        <Button variant="ink" busy={isBusy} onClick={() => run(() => listen(self, bond.soulmate))}>
          <span>{soulmateCopy.listen}</span>
          <HeadphonesIcon />
        </Button>
      );
    }
    if (asked !== null) {
      return (
        <Button variant="inkLine" onClick={() => void takeBack(asked)}>
          <span>{soulmateCopy.takeBack}</span>
          <CloseIcon />
        </Button>
      );
    }
    return (
      <Button variant="ink" aria-haspopup="dialog" onClick={choose}>
        <span>{soulmateCopy.choose}</span>
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
