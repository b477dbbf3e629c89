/** Which service answers which request about notifications. */
import type { Handlers } from '../realtime/caller.ts';
import type { NotificationsService } from './notifications-service.ts';

export function notificationsHandlers(service: NotificationsService) {
  return {
    'notifications/invite': service.invite,
    'notifications/dismiss': service.dismiss,
    'notifications/markRead': service.markRead,
  } satisfies Partial<Handlers>;
}
