/** Shows the next page of the people in a large room. */
import { Button } from '../../ui/buttons/Button.tsx';
import { useBusy } from '../../store/use-busy.ts';
import { useReadable } from '../../store/use-readable.ts';
import type { Readable } from '../../store/cell.ts';
import type { Roster } from './roster.ts';

export function MorePeople({ roster }: { roster: Readable<Roster | null> }) {
  const now = useReadable(roster);
  const { isBusy, run } = useBusy();
  return (
    <Button variant="ghost" small busy={isBusy || now === null} onClick={() => now && run(() => now.more())}>
      Show more people
    </Button>
  );
}
