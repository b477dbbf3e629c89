/** What the menu and the keys of a message do in an open chat, and what is shown when the server refuses it. */
import { useEffect, useState } from 'react';
import { quoteOf } from '@tunemate/domain';
import type { ClientId, PairId, Quote, Uid } from '@tunemate/protocol';
import { type Instead, sentenceOf } from '../../words/errors.ts';
import type { WritingMode } from '../../messages/WritingField.tsx';
import { useReadable } from '../../store/use-readable.ts';
import { useSteady } from '../../messages/use-steady.ts';
import { copyText } from '../../ui/copy-text.ts';
import { useModals } from '../../ui/dialogs/modals.ts';
import { useToast } from '../../ui/feedback/toasts.ts';
import type { MessageAct } from './MessageActions.tsx';
import type { ChatsModel } from '../chats-model.ts';
import { conversationWords } from '../conversation-words.ts';
import type { MessageItem, OpenConversation } from '../conversation.ts';
import type { PendingAct } from './pending-acts.ts';
import { t } from '../../language/t.ts';

/** A message by its number, and what it quotes. */
export type ChatWritingMode = WritingMode<number, Quote>;

export function useMessageActs(chats: ChatsModel, { pairId, other }: OpenConversation) {
  const toast = useToast();
  const modals = useModals();
  const [mode, setMode] = useState<ChatWritingMode | null>(null);
  /** The number of the message that was hidden last, while that can be undone here. */
  const [hidden, setHidden] = useState<number | null>(null);
  const [reported, setReported] = useState<number | null>(null);
  useRefusals(chats, pairId);

  async function copy(text: string): Promise<void> {
    toast((await copyText(text)) ? t`Message copied` : t`The browser does not let pages copy`);
  }

  async function deleteForBoth(number: number): Promise<void> {
    const { deleteForBothNow: question, deleteForBoth: action } = conversationWords;
    if (await modals.confirm({ question, action, danger: true }))
      chats.acts.add({ pairId, number }, { type: 'delete' });
  }

  function onAct(act: MessageAct, item: MessageItem): void {
    const { number, text, edits } = item;
    if (act === 'copy') return void copy(text);
    if (number === null) return;
    if (act === 'reply') setMode({ type: 'reply', quote: quoted(item, number, item.isMine ? chats.self : other.uid) });
    if (act === 'edit') setMode({ type: 'edit', id: number, text, draft: text, edits });
    if (act === 'report') setReported(number);
    if (act === 'delete') void deleteForBoth(number);
    if (act === 'hide') {
      chats.acts.add({ pairId, number }, { type: 'hide', isHidden: true });
      setHidden(number);
    }
  }

  const onRows = useSteady({
    onAct,
    onReact({ number, reactions }: MessageItem, emoji: string, isOn: boolean): void {
      const isIn = reactions.some((each) => each.uid === chats.self && each.emoji === emoji);
      if (number !== null && isIn !== isOn) chats.acts.add({ pairId, number }, { type: 'react', emoji, isOn });
    },
    onRetry: (clientId: string) => chats.outbox.retry(clientId),
    onDiscard: (clientId: string) => chats.outbox.discard(clientId),
  });

  return {
    mode,
    setMode,
    onRows,
    reported,
    endReport: () => setReported(null),
    hidden,
    endUndo: () => setHidden(null),
    undo(): void {
      if (hidden !== null) chats.acts.add({ pairId, number: hidden }, { type: 'hide', isHidden: false });
      setHidden(null);
    },
  };
}

function quoted({ key, text, image }: MessageItem, number: number, sender: Uid): Quote {
  return quoteOf({ number, clientId: key as ClientId, sender, text, image, state: 'shown' });
}

const sentences: Record<PendingAct['type'], string> = {
  edit: conversationWords.notChanged,
  delete: conversationWords.notDeleted,
  hide: conversationWords.notDeleted,
  react: t`Your reaction was not stored.`,
};

const insteadOf: Record<PendingAct['type'], Instead> = {
  edit: {
    'access/forbidden': conversationWords.tooLateToEdit,
    'access/not-found': conversationWords.messageDeleted,
    'input/conflict': conversationWords.editedElsewhere,
  },
  delete: {},
  hide: {},
  react: {
    'access/forbidden': conversationWords.cannotWrite,
    'access/not-found': conversationWords.messageDeleted,
    'limit/too-many': t`You can give a message three reactions.`,
  },
};

/** Says what was refused in this chat, also what was refused while it was not open. */
function useRefusals(chats: ChatsModel, pairId: PairId): void {
  const modals = useModals();
  const refused = useReadable(chats.acts.refused).find(({ act }) => act.pairId === pairId);
  useEffect(() => {
    if (refused === undefined) return;
    const { act, refusal } = refused;
    chats.acts.dismiss(refused);
    void modals.ok(sentences[act.type], { text: sentenceOf(refusal, insteadOf[act.type]) });
  }, [chats, modals, refused]);
}
