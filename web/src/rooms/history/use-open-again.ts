/** Opens a room again that ended, and goes there. */
import type { EndedRoom } from '@tunemate/protocol';
import { useApp, useUser } from '../../app-context.ts';
import { attempts } from '../../connection/attempts.ts';
import { patience } from '../../connection/retry.ts';
import { useLeaveFirst } from '../../people/listen-together.ts';
import { navigate, usePath } from '../../store/address.ts';
import { useToast } from '../../ui/feedback/toasts.ts';
import { useAnswerOf } from '../../words/use-answer-of.ts';
import { factsOf } from '../room-kinds.ts';
import { beforeWords } from './history-words.ts';
import { t } from '../../language/t.ts';

const opening = attempts();

/** `onGone`: the room can't be opened any more. */
export function useOpenAgain(onGone: (room: EndedRoom) => void): (room: EndedRoom) => Promise<void> {
  const { connection } = useApp();
  const { uid } = useUser();
  const toast = useToast();
  const answerOf = useAnswerOf();
  const isFree = useLeaveFirst();
  const address = usePath();
  return async (room) => {
    const { ink: band, roomPath } = factsOf(room.kind);
    if (!(await isFree(uid, band))) return;
    const opened = opening([room.roomId], (clientId) =>
      connection.requestUntilAnswered('rooms/openAgain', { clientId, roomId: room.roomId }, patience()),
    );
    const answer = await answerOf(opened, { failed: t`The room could not be opened again`, band });
    if (answer === null) {
      const refusal = await opened;
      if (!refusal.ok && refusal.error.code === 'access/not-found') onGone(room);
      return;
    }
    if (answer.invited > 0) toast(beforeWords.invited(answer.invited));
    // A user who is on another screen by now stays there; home lists the room.
    if (location.pathname === address) navigate(roomPath(answer.code));
  };
}
