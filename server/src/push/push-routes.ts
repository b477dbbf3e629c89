/** The routes of push and the service functions that answer them. */
import type { RegisterRoute } from '../http/routes.ts';
import { accept } from '../system/ports.ts';
import type { PushService } from './push-service.ts';

export function pushRoutes(register: RegisterRoute, push: PushService): void {
  register('GET /api/push/key', () => Promise.resolve(accept({ publicKey: push.publicKey })));
  register('POST /api/push/subscribe', ({ session }, payload) => push.subscribe(session, payload));
  register('POST /api/push/unsubscribe', ({ session }, { endpoint }) => push.unsubscribe(session, endpoint));
}
