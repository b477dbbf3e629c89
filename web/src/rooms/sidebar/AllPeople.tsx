/** The count of participants as a key to all of them as one list: the host, then who holds the remote, then the others. */
import type { Participant } from '@tunemate/protocol';
import { useState } from 'react';
import { Button } from '../../ui/buttons/Button.tsx';
import { Sheet } from '../../ui/dialogs/Sheet.tsx';
import { peopleInOrder } from '../visit/room-model.ts';
import { type PeopleProps, PeopleRows } from './PeopleRows.tsx';
import { t } from '../../language/t.ts';

export function AllPeople({ room, selfUid, onPerson }: PeopleProps) {
  const [isOpen, setIsOpen] = useState(false);
  const holders = new Set<string>(room.remoteHolders);
  const place = ({ uid }: Participant): number => (uid === room.host ? 0 : holders.has(uid) ? 1 : 2);
  return (
    <>
      <Button
        variant="ghost"
        small
        aria-label={t`All ${String(room.people)} participants`}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        {room.people}
      </Button>
      {isOpen && (
        <Sheet title={t`Participants`} onClose={() => setIsOpen(false)}>
          <PeopleRows
            people={peopleInOrder(room).toSorted((a, b) => place(a) - place(b))}
            {...{ room, selfUid }}
            onPerson={(person) => {
              setIsOpen(false);
              onPerson(person);
            }}
          />
        </Sheet>
      )}
    </>
  );
}
