/** Actions about one person: soulmate request, ending it, blocking. Each asks for a confirmation. */
import type { RoomCode, RoomKind, UserCard } from '@tunemate/protocol';
import { useApp } from '../app-context.ts';
import { soulmateInstead } from '../soulmate/soulmate-words.ts';
import { useBusy } from '../store/use-busy.ts';
import { useAnswerOf } from '../words/use-answer-of.ts';
import { useModals } from '../ui/dialogs/modals.ts';
import { useToast } from '../ui/feedback/toasts.ts';
import { personActionWords as words, personSheetWords } from './person-words.ts';

export interface PersonActions {
  readonly toggleSoulmate: () => void;
  readonly toggleBlock: () => void;
  /** Asks them, who are in this room too. */
  readonly addTunemate: (room: { kind: RoomKind; code: RoomCode }) => void;
}

interface PersonState {
  readonly other: UserCard;
  readonly isSoulmate: boolean;
  readonly isBlockedByMe: boolean;
}

export function usePersonActions({ other, isSoulmate, isBlockedByMe }: PersonState): PersonActions {
  const { connection, soulmate, tunemates } = useApp();
  const modals = useModals();
  const toast = useToast();
  // A double-click ends a long press too: only one dialog may open.
  const { run } = useBusy();
  const answerOf = useAnswerOf({ failed: words.failed, instead: soulmateInstead });

  async function part(): Promise<void> {
    const isSure = await modals.confirm({
      question: words.partQuestion(other.name),
      consequence: words.partConsequence,
      action: personSheetWords.part,
      danger: true,
      band: 'blush',
    });
    if (isSure) await answerOf(soulmate.part());
  }

  async function ask(): Promise<void> {
    const isSure = await modals.confirm({
      question: words.askQuestion(other.name),
      consequence: words.askConsequence,
      action: words.askAction,
      band: 'blush',
    });
    if (isSure && (await answerOf(soulmate.ask(other.uid)))) toast(words.requestSent);
  }

  async function block(): Promise<void> {
    const isSure = await modals.confirm({
      question: isBlockedByMe ? words.unblockQuestion(other.name) : words.blockQuestion(other.name),
      consequence: isBlockedByMe ? undefined : words.blockConsequence(other.name, isSoulmate),
      action: isBlockedByMe ? personSheetWords.unblock : personSheetWords.block,
      danger: !isBlockedByMe,
    });
    if (!isSure) return;
    const asked = connection.request('chats/block', { uid: other.uid, isBlocked: !isBlockedByMe });
    if ((await answerOf(asked)) && !isBlockedByMe) toast(personSheetWords.blocked(other.name));
  }

  return {
    toggleSoulmate: () => run(isSoulmate ? part : ask),
    toggleBlock: () => run(block),
    addTunemate: (room) =>
      run(async () => {
        if (await answerOf(tunemates.ask(other.uid, room))) toast(personSheetWords.tunemateAsked(other.name));
      }),
  };
}
