/** Answers and dismisses notifications, with a message on failure. The list shows a success. */
import type { Notification, Result } from '@tunemate/protocol';
import { useApp } from '../app-context.ts';
import { soulmateInstead } from '../soulmate/soulmate-words.ts';
import { useModals } from '../ui/dialogs/modals.ts';
import { sentenceOf } from '../words/errors.ts';
import { notificationWords } from './notification-words.ts';

export function useInboxActions() {
  const { soulmate, notifications, tunemates } = useApp();
  const modals = useModals();

  async function showIfRefused(asking: Promise<Result<object>>): Promise<void> {
    const answer = await asking;
    if (answer.ok) return;
    await modals.ok(notificationWords.failed, { text: sentenceOf(answer.error, soulmateInstead), band: 'blush' });
  }

  return {
    /** Of a request to be soulmates or tunemates. */
    answer({ id, type }: Notification, isYes: boolean): Promise<void> {
      if (type === 'tunemate') return showIfRefused(tunemates.answer(id, isYes));
      return showIfRefused(isYes ? soulmate.accept(id) : soulmate.decline(id));
    },
    dismiss: (id: string) => showIfRefused(notifications.dismiss(id)),
  };
}
