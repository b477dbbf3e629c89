/** Below the participants of a large room: more of them on demand. Few rooms need this code. */
import { useState } from 'react';
import type { Readable } from '../../store/cell.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import type { Roster } from './roster.ts';
import { t } from '../../language/t.ts';

export function MorePeople({ roster }: { roster: Readable<Roster | null> }) {
  const now = useReadable(roster);
  const [isBusy, setIsBusy] = useState(false);
  const show = (): void => {
    if (isBusy || now === null) return;
    setIsBusy(true);
    void now.more().finally(() => setIsBusy(false));
  };
  return (
    <Button variant="ghost" small busy={isBusy || now === null} onClick={show}>
      {t`Show more people`}
    </Button>
  );
}
