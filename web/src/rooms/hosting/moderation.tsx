/** The sheet about a participant, with the host's actions, and the host's lock. */
import type { UserCard } from '@tunemate/protocol';
import { Suspense, useState } from 'react';
import { useApp } from '../../app-context.ts';
import { sentenceOf } from '../../words/errors.ts';
import { factsOf } from '../room-kinds.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { useModals } from '../../ui/dialogs/modals.ts';
import type { PressedPerson } from './PersonDialog.tsx';
import type { RoomView } from '../visit/visit.ts';
import { lazyPart } from '../../store/lazy-part.ts';
import { t } from '../../language/t.ts';

const PersonDialog = lazyPart(async () => (await import('./PersonDialog.tsx')).PersonDialog);

export type Moderation = ReturnType<typeof useModeration>;

export function useModeration(
  { kind, visit, state: { room }, self }: Pick<RoomView, 'kind' | 'visit' | 'state' | 'self'>,
  makeHost: (uid: string) => void,
) {
  const { connection } = useApp();
  const modals = useModals();
  const [open, setOpen] = useState<PressedPerson | null>(null);

  const isMine = room.host === self.uid;
  const address = { kind, code: room.code };
  const showRefusal = async (asked: ReturnType<typeof remove>): Promise<void> => {
    const answer = await asked;
    // The person has left already.
    if (answer.ok || answer.error.code === 'access/not-found') return;
    await modals.ok(sentenceOf(answer.error), { band: factsOf(kind).ink });
  };
  const remove = (whom: string, forGood: boolean) =>
    connection.request('rooms/removeParticipant', { ...address, uid: whom, forGood });
  const setLocked = (isLocked: boolean) => connection.request('rooms/setLocked', { ...address, isLocked });
  return {
    /** Opens the sheet about a person, who may have left; `messageId` is the message to report. */
    onPerson: (card: UserCard, messageId?: string): void => {
      // In a large room the page may not know this person.
      visit.roster.get()?.know([card.uid]);
      setOpen({ card, isRemoving: false, messageId });
    },
    lock: isMine && (
      <Button
        variant="ghost"
        small
        aria-pressed={room.isLocked}
        onClick={() => void showRefusal(setLocked(!room.isLocked))}
      >
        {room.isLocked ? t`Unlock room` : t`Lock room`}
      </Button>
    ),
    dialog: open !== null && (
      <Suspense>
        <PersonDialog
          room={room}
          isMine={isMine}
          pressed={open}
          onMakeHost={makeHost}
          onAskRemove={() => setOpen({ card: open.card, isRemoving: true })}
          onRemove={(uid, forGood) => void showRefusal(remove(uid, forGood))}
          onClose={() => setOpen(null)}
        />
      </Suspense>
    ),
  };
}
