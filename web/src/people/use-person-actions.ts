/** Actions about one person: soulmate request, ending it, blocking. Each asks for a confirmation. */
import type { Result, RoomCode, RoomKind, UserCard } from '@tunemate/protocol';
import { useRef } from 'react';
import { useApp } from '../app-context.ts';
import { soulmateInstead } from '../soulmate/soulmate-words.ts';
import { sentenceOf } from '../words/errors.ts';
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
  const isAsking = useRef(false);

  async function showIfRefused(asked: Promise<Result<object>>): Promise<boolean> {
    const answer = await asked;
    if (!answer.ok) await modals.ok(words.failed, { text: sentenceOf(answer.error, soulmateInstead) });
    return answer.ok;
  }

  async function part(): Promise<void> {
    const isSure = await modals.confirm({
      question: words.partQuestion(other.name),
      consequence: words.partConsequence,
      action: personSheetWords.part,
      danger: true,
      band: 'blush',
    });
    if (isSure) await showIfRefused(soulmate.part());
  }

  async function ask(): Promise<void> {
    const isSure = await modals.confirm({
      question: words.askQuestion(other.name),
      consequence: words.askConsequence,
      action: words.askAction,
      band: 'blush',
    });
    if (isSure && (await showIfRefused(soulmate.ask(other.uid)))) toast(words.requestSent);
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
    if ((await showIfRefused(asked)) && !isBlockedByMe) toast(personSheetWords.blocked(other.name));
  }

  /** A double-click ends a long press too: only one dialog may open. */
  function once(action: () => Promise<void>): void {
    if (isAsking.current) return;
    isAsking.current = true;
    void action().finally(() => {
      isAsking.current = false;
    });
  }

  return {
    toggleSoulmate: () => once(isSoulmate ? part : ask),
    toggleBlock: () => once(block),
    addTunemate: (room) =>
      once(async () => {
        if (await showIfRefused(tunemates.ask(other.uid, room))) toast(personSheetWords.tunemateAsked(other.name));
      }),
  };
}
