/** Taking back a soulmate request, after a question. */
import type { UserCard } from '@tunemate/protocol';
import { useApp } from '../app-context.ts';
import { useAnswerOf } from '../words/use-answer-of.ts';
import { useModals } from '../ui/dialogs/modals.ts';
import { soulmateWords } from './soulmate-words.ts';
import { t } from '../language/t.ts';

export function useTakeBack(): (from: UserCard) => Promise<void> {
  const { soulmate } = useApp();
  const modals = useModals();
  const answerOf = useAnswerOf({ failed: soulmateWords.failed, band: 'blush' });
  return async ({ uid, name }) => {
    const isSure = await modals.confirm({
      question: t`Take back your request to ${name}?`,
      consequence: t`It leaves their notifications.`,
      action: soulmateWords.takeBack,
      danger: true,
      band: 'blush',
    });
    if (isSure) await answerOf(soulmate.takeBack(uid));
  };
}
