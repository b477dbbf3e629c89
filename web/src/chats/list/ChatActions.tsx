/** What a person makes of a chat for their own list, as rows: pin, mute, archive, delete for oneself. Loaded by a press. */
import type { ChatArrangement, PairId, UserCard } from '@tunemate/protocol';
import { BellIcon } from '../../ui/icons/inside-icons.tsx';
import { ArchiveIcon, MutedIcon, PinIcon, UnarchiveIcon, UnpinIcon } from '../../ui/icons/chat-icons.tsx';
import { TrashIcon } from '../../ui/icons/message-icons.tsx';
import { Sheet } from '../../ui/dialogs/Sheet.tsx';
import { useModals } from '../../ui/dialogs/modals.ts';
import { useToast } from '../../ui/feedback/toasts.ts';
import { ActionRow } from '../../ui/lists/ActionRow.tsx';
import { useAnswerOf } from '../../words/use-answer-of.ts';
import type { ChatsModel } from '../chats-model.ts';
import { t } from '../../language/t.ts';

interface ChatActionsProps {
  chats: ChatsModel;
  chat: ChatArrangement & { pairId: PairId; other: UserCard; lastNumber: number };
  /** The sheet that it is in is to be closed. */
  onClose: () => void;
  /** The chat was deleted for the user. */
  onCleared?: (() => void) | undefined;
}

export function ChatActions({ chats, chat, onClose, onCleared }: ChatActionsProps) {
  const { pairId, other, isPinned, isMuted, isArchived, lastNumber } = chat;
  const modals = useModals();
  const toast = useToast();
  const answerOf = useAnswerOf({
    failed: t`The chat was not changed`,
    instead: { 'limit/too-many': t`You can pin 20 chats. Unpin another one first.` },
  });

  const arrange = (more: Partial<ChatArrangement>) => () => {
    onClose();
    void answerOf(chats.arrange(pairId, more));
  };

  async function clear(): Promise<void> {
    onClose();
    const isSure = await modals.confirm({
      question: t`Delete the chat with ${other.name} for you?`,
      consequence: words.clearConsequence(other.name),
      action: t`Delete for me`,
      danger: true,
      band: 'celadon',
    });
    if (!isSure || !(await answerOf(chats.clear(pairId, lastNumber)))) return;
    toast(t`Chat deleted for you`);
    onCleared?.();
  }

  return (
    <>
      <ActionRow
        icon={isPinned ? <UnpinIcon /> : <PinIcon />}
        label={isPinned ? t`Unpin` : t`Pin`}
        onPress={arrange({ isPinned: !isPinned })}
      />
      <ActionRow
        icon={isMuted ? <BellIcon /> : <MutedIcon />}
        label={isMuted ? t`Unmute` : t`Mute`}
        detail={isMuted ? undefined : t`New messages make no push and no toast.`}
        onPress={arrange({ isMuted: !isMuted })}
      />
      <ActionRow
        icon={isArchived ? <UnarchiveIcon /> : <ArchiveIcon />}
        label={isArchived ? t`Move back to the list` : t`Archive`}
        detail={isArchived ? undefined : t`It comes back with a new message, unless it is muted.`}
        onPress={arrange({ isArchived: !isArchived })}
      />
      <ActionRow icon={<TrashIcon />} danger label={t`Delete chat for me`} onPress={() => void clear()} />
    </>
  );
}

/** The same as a sheet over the list. */
export function ChatSheet(props: ChatActionsProps) {
  return (
    <Sheet title={props.chat.other.name} onClose={props.onClose}>
      <ChatActions {...props} />
    </Sheet>
  );
}

const words = {
  clearConsequence: (name: string) => t`${name} keeps it. A new message starts it anew, without the older ones.`,
} as const;
