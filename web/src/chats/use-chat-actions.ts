/** Actions between the two people of a chat: soulmate request, parting, blocking. Each asks for a confirmation. */
import type { Result } from '@tunemate/protocol';
import { useRef } from 'react';
import { useApp } from '../app-context.ts';
import type { ConversationModel } from './conversation-model.ts';
import type { OpenConversation } from './open-conversation.ts';
import { chatCopy } from './chat-words.ts';
import { soulmateInstead } from '../copy/soulmate-instead.ts';
import { sentenceOf } from '../copy/errors.ts';
import { useModals } from '../ui/dialogs/modals.ts';
import { useToast } from '../ui/feedback/toasts.ts';

export interface ChatActions {
  readonly toggleSoulmate: () => void;
  readonly toggleBlock: () => void;
}

export function useChatActions(
  model: ConversationModel,
  { other, isSoulmate, isBlockedByMe }: OpenConversation,
): ChatActions {
  const { soulmate } = useApp();
  const modals = useModals();
  const toast = useToast();
  const isAsking = useRef(false);

  async function showIfRefused(asked: Promise<Result<object>>): Promise<boolean> {
    const answer = await asked;
    if (!answer.ok) await modals.ok(chatCopy.failed, { text: sentenceOf(answer.error, soulmateInstead) });
    return answer.ok;
  }

  async function part(): Promise<void> {
    const isSure = await modals.confirm({
      question: chatCopy.partQuestion(other.name),
      consequence: chatCopy.partConsequence,
      action: chatCopy.part,
      danger: true,
      band: 'blush',
    });
    if (isSure) await showIfRefused(soulmate.part());
  }

  async function ask(): Promise<void> {
    const isSure = await modals.confirm({
      question: chatCopy.askQuestion(other.name),
      consequence: chatCopy.askConsequence,
      action: chatCopy.askAction,
      band: 'blush',
    });
    if (isSure && (await showIfRefused(soulmate.ask(other.uid)))) toast(chatCopy.requestSent);
  }

  async function block(): Promise<void> {
    const isSure = await modals.confirm({
      question: isBlockedByMe ? chatCopy.unblockQuestion(other.name) : chatCopy.blockQuestion(other.name),
      consequence: isBlockedByMe ? undefined : chatCopy.blockConsequence,
      action: isBlockedByMe ? chatCopy.unblock : chatCopy.block,
      danger: !isBlockedByMe,
    });
    if (isSure) await showIfRefused(model.setBlocked(!isBlockedByMe));
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
  };
}
