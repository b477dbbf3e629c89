/** Accept and Decline of one request to be soulmates or tunemates; while one is being sent both are disabled. */
import { useState } from 'react';
import { useBusy } from '../store/use-busy.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { t } from '../language/t.ts';

interface RequestAnswersProps {
  /** On the ground of the page instead of the soulmate's ink. */
  isPlain?: boolean | undefined;
  onAccept: () => Promise<unknown>;
  onDecline: () => Promise<unknown>;
}

export function RequestAnswers({ isPlain, onAccept, onDecline }: RequestAnswersProps) {
  const { isBusy, run } = useBusy();
  const [chosen, setChosen] = useState<'accept' | 'decline'>('accept');
  function choose(answer: 'accept' | 'decline', action: () => Promise<unknown>): void {
    if (isBusy) return;
    setChosen(answer);
    run(action);
  }
  return (
    <>
      <Button
        variant={isPlain ? 'primary' : 'ink'}
        busy={isBusy && chosen === 'accept'}
        onClick={() => choose('accept', onAccept)}
      >
        {t`Accept`}
      </Button>
      <Button
        variant={isPlain ? undefined : 'inkLine'}
        busy={isBusy && chosen === 'decline'}
        onClick={() => choose('decline', onDecline)}
      >
        {t`Decline`}
      </Button>
    </>
  );
}
