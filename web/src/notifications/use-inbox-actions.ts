/** Answers and dismisses notifications, with a message on failure. The list shows a success. */
import type { Notification, Uid } from '@tunemate/protocol';
import { useApp } from '../app-context.ts';
import { navigate, usePath } from '../store/address.ts';
import { soulmateInstead } from '../soulmate/soulmate-words.ts';
import { useAnswerOf } from '../words/use-answer-of.ts';

import { t } from '../language/t.ts';
export function useInboxActions() {
  const { connection, soulmate, notifications, tunemates } = useApp();
  const answerOf = useAnswerOf({ failed: t`That did not work`, instead: soulmateInstead, band: 'blush' });
  const address = usePath();
  async function answerToKeep(uid: Uid, keeps: boolean): Promise<object | null> {
    const answer = await answerOf(connection.request('music/keep', { uid, keeps }));
    // The page of the two says why nothing is kept. A user who is on another screen by now stays there.
    if (keeps && answer !== null && location.pathname === address) navigate(`/our-music/${uid}`);
    return answer;
  }
  return {
    /** Of a request to be soulmates or tunemates, or to keep what both hear together. */
    async answer({ id, type, senderUid }: Notification, isYes: boolean): Promise<object | null> {
      if (type === 'music') return await answerToKeep(senderUid, isYes);
      if (type === 'tunemate') return answerOf<object>(tunemates.answer(id, isYes));
      return answerOf<object>(isYes ? soulmate.accept(id) : soulmate.decline(id));
    },
    dismiss: (id: string) => answerOf<object>(notifications.dismiss(id)),
  };
}
