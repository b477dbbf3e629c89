/** From 1200 px on the list of chats stands beside the open one. Loaded where there is space for it. */
import { useReadable } from '../store/use-readable.ts';
import { usePath } from '../store/address.ts';
import type { ChatsModel } from './chats-model.ts';
import { Conversations } from './ChatsScreen.tsx';

/** Empty until the list is there. */
export function ChatsPane({ chats }: { chats: ChatsModel }) {
  const path = usePath();
  return useReadable(chats.list.rows) && <Conversations chats={chats} list={chats.list} openPath={path} />;
}
