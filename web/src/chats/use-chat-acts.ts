/** What changes things between the two people of a chat: soulmates or not, blocked or not. Each is confirmed first. */
import type { Result } from '@tunemate/protocol';
import { useRef } from 'react';
import { useApp } from '../app-context.ts';
import type { ConversationModel, OpenConversation } from './conversation-model.ts';
import { chatWords } from './chat-words.ts';
import { soulmateInstead } from '../copy/soulmate-instead.ts';
import { sentenceOf } from '../copy/sentences.ts';
import { useModals } from '../ui/dialogs/modals.ts';
import { useToast } from '../ui/notices/toasts.ts';

export interface ChatActs {
  readonly toggleSoulmate: () => void;
  readonly toggleBlock: () => void;
}

export function useChatActs(
  model: ConversationModel,
  { other, isSoulmate, isBlockedByMe }: OpenConversation,
): ChatActs {
  const { soulmate } = useApp();
  const modals = useModals();
  const toast = useToast();
  const isAsking = useRef(false);

  async function sayIfRefused(asked: Promise<Result<object>>): Promise<boolean> {
    const answer = await asked;
    if (!answer.ok) await modals.ok(chatWords.failed, { text: sentenceOf(answer.error, soulmateInstead) });
    return answer.ok;
  }

  async function part(): Promise<void> {
    const isSure = await modals.confirm({
      question: chatWords.partQuestion(other.name),
      consequence: chatWords.partConsequence,
      action: chatWords.part,
      danger: true,
      band: 'blush',
    });
    if (isSure) await sayIfRefused(soulmate.part());
  }

  async function ask(): Promise<void> {
    const isSure = await modals.confirm({
      question: chatWords.askQuestion(other.name),
      consequence: chatWords.askConsequence,
      action: chatWords.askAction,
      band: 'blush',
    });
    if (isSure && (await sayIfRefused(soulmate.ask(other.uid)))) toast(chatWords.requestSent);
  }

  async function block(): Promise<void> {
    const isSure = await modals.confirm({
      question: isBlockedByMe ? chatWords.unblockQuestion(other.name) : chatWords.blockQuestion(other.name),
      consequence: isBlockedByMe ? undefined : chatWords.blockConsequence,
      action: isBlockedByMe ? chatWords.unblock : chatWords.block,
      danger: !isBlockedByMe,
    });
    if (isSure) await sayIfRefused(model.setBlocked(!isBlockedByMe));
  }

  /** A double-click ends a long press too: one question at a time. */
  function once(act: () => Promise<void>): void {
    if (isAsking.current) return;
    isAsking.current = true;
    void act().finally(() => {
      isAsking.current = false;
    });
  }

  return {
    toggleSoulmate: () => once(isSoulmate ? part : ask),
    toggleBlock: () => once(block),
  };
}
