/** The next step on the way to a soulmate: choosing, taking back, or listening together; for home and the soulmate room. */
import type { AskedSoulmate, UserCard } from '@tunemate/protocol';
import { useState } from 'react';
import { useApp } from '../app-context.ts';
import { soulmateWords } from '../soulmate/soulmate-words.ts';
import { useTakeBack } from '../soulmate/use-take-back.ts';
import { lazyPart } from '../store/lazy-part.ts';
import { useBusy } from '../store/use-busy.ts';
import { useReadable } from '../store/use-readable.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { CloseIcon } from '../ui/icons/icons.tsx';
import { ChevronRightIcon } from '../ui/icons/inside-icons.tsx';
import { PlusIcon } from '../ui/icons/page-icons.tsx';
import type { Elements } from '../ui/OwnText.tsx';
import { useListenTogether } from './listen-together.ts';
import { t } from '../language/t.ts';

/** The next step on the way to a soulmate, for the cover and the sidebar. */
export interface SoulmateWay {
  /** The newest pending request; null for none, and for a user who has a soulmate. */
  readonly asked: AskedSoulmate | null;
  readonly choose: () => void;
  /** Goes above the link to the soulmate room. */
  readonly key: Elements;
  readonly dialog: Elements;
}

const ChooseSoulmate = lazyPart(async () => (await import('./ChooseSoulmate.tsx')).ChooseSoulmate);

/** `chooseWords` are on the key that chooses one. */
export function useSoulmateWay(self: UserCard, chooseWords: string = t`Choose`): SoulmateWay {
  const { soulmate } = useApp();
  const bond = useReadable(soulmate.soulmate);
  const waiting = useReadable(soulmate.asked)[0] ?? null;
  const [isChoosing, setIsChoosing] = useState(false);
  const { isBusy, run } = useBusy();
  const listen = useListenTogether();
  const takeBack = useTakeBack();
  const hearing = useReadable(useApp().hearing);
  const hears = bond.status === 'bound' && hearing.get(bond.soulmate.uid)?.untilMs === null;
  const asked = bond.status === 'bound' ? null : waiting;
  const choose = (): void => setIsChoosing(true);

  function key(): Elements {
    if (bond.status === 'bound') {
      return (
        <Button
          // While they hear something, the first key is to listen along.
          variant={hears ? 'inkLine' : 'ink'}
          busy={isBusy}
          onClick={() => run(() => listen({ self, other: bond.soulmate, band: 'blush' }))}
        >
          <span>{t`Listen together`}</span>
          <PlusIcon />
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
        <span>{chooseWords}</span>
        <ChevronRightIcon />
      </Button>
    );
  }

  return {
    asked,
    choose,
    key: key(),
    dialog: isChoosing && <ChooseSoulmate onClose={() => setIsChoosing(false)} />,
  };
}
