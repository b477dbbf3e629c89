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
  const answerOf = useAnswerOf({ failed: words.failed, instead: { 'limit/too-many': words.tooManyPinned } });

  const arrange = (more: Partial<ChatArrangement>) => () => {
    onClose();
    void answerOf(chats.arrange(pairId, more));
  };

  async function clear(): Promise<void> {
    onClose();
    const isSure = await modals.confirm({
      question: words.clearQuestion(other.name),
      consequence: words.clearConsequence(other.name),
      action: words.clearAction,
      danger: true,
      band: 'celadon',
    });
    if (!isSure || !(await answerOf(chats.clear(pairId, lastNumber)))) return;
    toast(words.cleared);
    onCleared?.();
  }

  return (
    <>
      <ActionRow
        icon={isPinned ? <UnpinIcon /> : <PinIcon />}
        label={isPinned ? words.unpin : words.pin}
        onPress={arrange({ isPinned: !isPinned })}
      />
      <ActionRow
        icon={isMuted ? <BellIcon /> : <MutedIcon />}
        label={isMuted ? words.unmute : words.mute}
        detail={isMuted ? undefined : words.muteDetail}
        onPress={arrange({ isMuted: !isMuted })}
      />
      <ActionRow
        icon={isArchived ? <UnarchiveIcon /> : <ArchiveIcon />}
        label={isArchived ? words.unarchive : words.archive}
        detail={isArchived ? undefined : words.archiveDetail}
        onPress={arrange({ isArchived: !isArchived })}
      />
      <ActionRow icon={<TrashIcon />} danger label={words.clear} onPress={() => void clear()} />
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
  pin: t`Pin`,
  unpin: t`Unpin`,
  mute: t`Mute`,
  muteDetail: t`New messages make no push and no toast.`,
  unmute: t`Unmute`,
  archive: t`Archive`,
  archiveDetail: t`It comes back with a new message, unless it is muted.`,
  unarchive: t`Move back to the list`,
  clear: t`Delete chat for me`,
  clearQuestion: (name: string) => t`Delete the chat with ${name} for you?`,
  clearConsequence: (name: string) => t`${name} keeps it. A new message starts it anew, without the older ones.`,
  clearAction: t`Delete for me`,
  cleared: t`Chat deleted for you`,
  tooManyPinned: t`You can pin 20 chats. Unpin another one first.`,
  failed: t`The chat was not changed`,
} as const;
