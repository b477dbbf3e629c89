/** Inviting and removing a tunemate: both ask for a confirmation and show the result. */
import type { Tunemate } from '@tunemate/protocol';
import { useApp } from '../app-context.ts';
import { tunemateWords } from './tunemate-words.ts';
import type { Instead } from '../words/errors.ts';
import { useAnswerOf } from '../words/use-answer-of.ts';
import { useModals } from '../ui/dialogs/modals.ts';
import { useToast } from '../ui/feedback/toasts.ts';
import { t } from '../language/t.ts';

export function useTunemateActions() {
  const { tunemates } = useApp();
  const modals = useModals();
  const toast = useToast();
  const answerOf = useAnswerOf();

  /** True once the invitation was sent. */
  async function invite({ uid, name }: Pick<Tunemate, 'uid' | 'name'>): Promise<boolean> {
    if (!(await modals.confirm({ question: t`Invite ${name}?`, action: tunemateWords.invite }))) return false;
    const isSent = await answerOf(tunemates.invite(uid), {
      failed: t`The invitation was not sent`,
      instead: inviteInstead,
    });
    if (isSent) toast(tunemateWords.invitationSentTo(name));
    return isSent !== null;
  }

  async function remove({ uid, name }: Tunemate): Promise<void> {
    const isSure = await modals.confirm({
      question: t`Remove ${name}?`,
      consequence: t`You leave each other’s tunemates.`,
      action: tunemateWords.remove,
      danger: true,
    });
    if (isSure) await answerOf(tunemates.remove(uid), { failed: t`They are still your tunemate` });
  }

  return { invite, remove: (tunemate: Tunemate) => void remove(tunemate) };
}

const inviteInstead: Instead = {
  // No longer a tunemate, or blocked by them: one sentence that does not reveal a block.
  'access/forbidden': t`They can’t be invited now.`,
  'access/not-found': t`This person is no longer here.`,
};
