/** Taking back a soulmate request, after a question. */
import type { UserCard } from '@tunemate/protocol';
import { useApp } from '../app-context.ts';
import { sentenceOf } from '../copy/errors.ts';
import { useModals } from '../ui/dialogs/modals.ts';
import { soulmateCopy } from './soulmate-words.ts';

export function useTakeBack(): (from: UserCard) => Promise<void> {
  const { soulmate } = useApp();
  const modals = useModals();
  return async ({ uid, name }) => {
    const isSure = await modals.confirm({
      question: soulmateCopy.takeBackQuestion(name),
      consequence: soulmateCopy.takeBackConsequence,
      action: soulmateCopy.takeBack,
      danger: true,
      band: 'blush',
    });
    if (!isSure) return;
    const answer = await soulmate.takeBack(uid);
    if (!answer.ok) await modals.ok(soulmateCopy.failed, { text: sentenceOf(answer.error), band: 'blush' });
  };
}
