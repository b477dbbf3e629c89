/** Below the participants of a large room: more of them on demand, of an audience for its host alone. Few rooms need it. */
import { limits, type RoomDocument } from '@tunemate/protocol';
import type { Readable } from '../../store/cell.ts';
import { useBusy } from '../../store/use-busy.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { isHiddenFrom, type Roster } from './roster.ts';
import { t } from '../../language/t.ts';

interface MorePeopleProps {
  roster: Readable<Roster | null>;
  room: RoomDocument;
  selfUid: string;
}

export function MorePeople({ roster, room, selfUid }: MorePeopleProps) {
  const now = useReadable(roster);
  const { isBusy, run } = useBusy();
  if (isHiddenFrom(room, selfUid)) {
    return (
      <p style={{ padding: '12px 0' }}>
        {t`More than ${String(limits.audiencePeople)} people are here. Only the host sees who they are.`}
      </p>
    );
  }
  return (
    <Button variant="ghost" small busy={isBusy || now === null} onClick={() => now && run(now.more)}>
      {t`Show more people`}
    </Button>
  );
}
