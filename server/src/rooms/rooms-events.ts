/** Which service answers which request about rooms. */
import type { Handlers } from '../realtime/caller.ts';
import type { RequestsService } from './requests-service.ts';
import type { RoomChatService } from './room-chat-service.ts';
import type { RoomViewService } from './room-view-service.ts';
import type { RoomsService } from './rooms-service.ts';

export function roomHandlers(
  rooms: RoomsService,
  requests: RequestsService,
  chat: RoomChatService,
  view: RoomViewService,
) {
  return {
    'rooms/create': rooms.create,
    'rooms/lookUp': rooms.lookUp,
    'rooms/askToJoin': requests.askToJoin,
    'rooms/cancelRequest': requests.cancelRequest,
    'rooms/requestStatus': requests.requestStatus,
    'rooms/acceptRequest': requests.acceptRequest,
    'rooms/rejectRequest': requests.rejectRequest,
    'rooms/enter': view.enter,
    'rooms/close': view.close,
    'rooms/leave': rooms.leave,
    'rooms/sendMessage': chat.sendMessage,
    'rooms/earlierMessages': chat.earlierMessages,
  } satisfies Partial<Handlers>;
}
