/** Inviting and removing a tunemate: both are confirmed first, and both say how it went. */
import type { Tunemate } from '@tunemate/protocol';
import { useApp } from '../app-context.ts';
import { inviteInstead, tunemateWords } from './tunemate-words.ts';
import { sentenceOf } from '../copy/sentences.ts';
import { useModals } from '../ui/dialogs/modals.ts';
import { useToast } from '../ui/notices/toasts.ts';

export interface TunemateActs {
  readonly invite: (tunemate: Tunemate) => void;
  readonly remove: (tunemate: Tunemate) => void;
}

export function useTunemateActs(): TunemateActs {
  const { tunemates } = useApp();
  const modals = useModals();
  const toast = useToast();

  async function invite({ uid, name }: Tunemate): Promise<void> {
    if (!(await modals.confirm({ question: tunemateWords.inviteQuestion(name), action: tunemateWords.invite }))) return;
    const answer = await tunemates.invite(uid);
    if (answer.ok) toast(tunemateWords.invitationSentTo(name));
    else await modals.ok(tunemateWords.inviteFailed, { text: sentenceOf(answer.error, inviteInstead) });
  }

  async function remove({ uid, name }: Tunemate): Promise<void> {
    const isSure = await modals.confirm({
      question: tunemateWords.removeQuestion(name),
      consequence: tunemateWords.removeConsequence,
      action: tunemateWords.remove,
      danger: true,
    });
    if (!isSure) return;
    const answer = await tunemates.remove(uid);
    if (!answer.ok) await modals.ok(tunemateWords.removeFailed, { text: sentenceOf(answer.error) });
  }

  return { invite: (tunemate) => void invite(tunemate), remove: (tunemate) => void remove(tunemate) };
}
