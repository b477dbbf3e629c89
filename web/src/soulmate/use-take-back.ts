/** Taking back a soulmate request, after a question. */
import type { UserCard } from '@tunemate/protocol';
import { useApp } from '../app-context.ts';
import { sentenceOf } from '../words/errors.ts';
import { useModals } from '../ui/dialogs/modals.ts';
import { soulmateWords } from './soulmate-words.ts';

export function useTakeBack(): (from: UserCard) => Promise<void> {
  const { soulmate } = useApp();
  const modals = useModals();
  return async ({ uid, name }) => {
    const isSure = await modals.confirm({
      question: soulmateWords.takeBackQuestion(name),
      consequence: soulmateWords.takeBackConsequence,
      action: soulmateWords.takeBack,
      danger: true,
      band: 'blush',
    });
    if (!isSure) return;
    const answer = await soulmate.takeBack(uid);
    if (!answer.ok) await modals.ok(soulmateWords.failed, { text: sentenceOf(answer.error), band: 'blush' });
  };
}
