/** Answers and dismisses notifications, with a message on failure. The list shows a success. */
import type { Notification } from '@tunemate/protocol';
import { useApp } from '../app-context.ts';
import { soulmateInstead } from '../soulmate/soulmate-words.ts';
import { useAnswerOf } from '../words/use-answer-of.ts';
import { notificationWords } from './notification-words.ts';

export function useInboxActions() {
  const { soulmate, notifications, tunemates } = useApp();
  const answerOf = useAnswerOf({ failed: notificationWords.failed, instead: soulmateInstead, band: 'blush' });
  return {
    /** Of a request to be soulmates or tunemates. */
    answer({ id, type }: Notification, isYes: boolean) {
      if (type === 'tunemate') return answerOf<object>(tunemates.answer(id, isYes));
      return answerOf<object>(isYes ? soulmate.accept(id) : soulmate.decline(id));
    },
    dismiss: (id: string) => answerOf<object>(notifications.dismiss(id)),
  };
}
