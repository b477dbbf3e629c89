/** Order in a room on the host's screen: pressing a person opens what can be done about them; the lock. */
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useApp } from '../../app-context.ts';
import { sentenceOf } from '../../copy/errors.ts';
import { personWords } from '../../rooms/hosting/person-words.ts';
import { factsOf } from '../../rooms/room-kinds.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { useModals } from '../../ui/dialogs/modals.ts';
import type { RoomView } from './Stage.tsx';

const PersonDialog = lazy(async () => ({
  default: (await import('../../rooms/hosting/PersonDialog.tsx')).PersonDialog,
}));

export interface RoomOrder {
  /** Nothing for guests. */
  onPerson: ((uid: string) => void) | undefined;
  lock: ReactNode;
  dialog: ReactNode;
}

type View = Pick<RoomView, 'kind' | 'state' | 'self'>;

export function useOrder({ kind, state: { room }, self }: View, makeHost: (uid: string) => void): RoomOrder {
  const { connection } = useApp();
  const modals = useModals();
  const [uid, setUid] = useState<string | null>(null);
  if (room.host !== self.uid) return { onPerson: undefined, lock: null, dialog: null };

  const address = { kind, code: room.code };
  const band = factsOf(kind).ink;
  const person = room.participants.find((one) => one.uid === uid);
  const tell = async (asked: ReturnType<typeof remove>): Promise<void> => {
    const answer = await asked;
    // Somebody who has left already is out, as was wanted.
    if (!answer.ok && answer.error.code !== 'access/not-found') await modals.ok(sentenceOf(answer.error), { band });
  };
  const remove = (whom: string, forGood: boolean) =>
    connection.request('rooms/removeParticipant', { ...address, uid: whom, forGood });
  const setLocked = (isLocked: boolean) => connection.request('rooms/setLocked', { ...address, isLocked });
  return {
    onPerson: setUid,
    lock: (
      <Button variant="ghost" small aria-pressed={room.isLocked} onClick={() => void tell(setLocked(!room.isLocked))}>
        {room.isLocked ? personWords.unlock : personWords.lock}
      </Button>
    ),
    dialog: person !== undefined && (
      <Suspense>
        <PersonDialog
          person={person}
          band={band}
          onClose={() => setUid(null)}
          onMakeHost={() => {
            setUid(null);
            makeHost(person.uid);
          }}
          onRemove={(forGood) => {
            setUid(null);
            void tell(remove(person.uid, forGood));
          }}
        />
      </Suspense>
    ),
  };
}
