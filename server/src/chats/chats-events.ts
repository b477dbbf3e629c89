/** Which service answers which request about private chats. */
import type { Handlers } from '../realtime/caller.ts';
import type { BlocksService } from './blocks-service.ts';
import type { ConversationsService } from './conversations-service.ts';
import type { MessagesService } from './messages-service.ts';
import type { ReceiptsService } from './receipts-service.ts';

export function chatsHandlers(
  messages: MessagesService,
  conversations: ConversationsService,
  receipts: ReceiptsService,
  blocks: BlocksService,
) {
  return {
    'chats/list': conversations.list,
    'chats/open': conversations.open,
    'chats/earlierMessages': messages.earlierMessages,
    'chats/send': messages.send,
    'chats/mark': receipts.mark,
    'chats/typing': receipts.typing,
    'chats/block': blocks.block,
    'chats/blocked': blocks.blocked,
  } satisfies Partial<Handlers>;
}
