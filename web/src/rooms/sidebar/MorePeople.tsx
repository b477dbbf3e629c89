/** Below the participants of a large room: more of them on demand, of an audience for its host alone. Few rooms need it. */
import { limits, type RoomDocument } from '@tunemate/protocol';
import { useState } from 'react';
import type { Readable } from '../../store/cell.ts';
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
  const [isBusy, setIsBusy] = useState(false);
  const show = (): void => {
    if (isBusy || now === null) return;
    setIsBusy(true);
    void now.more().finally(() => setIsBusy(false));
  };
  if (isHiddenFrom(room, selfUid)) {
    return (
      <p style={{ padding: '12px 0' }}>
        {t`More than ${String(limits.audiencePeople)} people are here. Only the host sees who they are.`}
      </p>
    );
  }
  return (
    <Button variant="ghost" small busy={isBusy || now === null} onClick={show}>
      {t`Show more people`}
    </Button>
  );
}
