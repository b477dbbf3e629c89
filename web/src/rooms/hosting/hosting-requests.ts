/** The requests by which a room is handed over. */
import type { Result, RoomKind } from '@tunemate/protocol';
import type { Connection } from '../../connection/port.ts';

export interface HostingRequests {
  offer(uid: string, leaves: boolean): Promise<Result<object>>;
  takeBack(): Promise<Result<object>>;
  answer(takes: boolean): Promise<Result<object>>;
}

export function hostingRequests(connection: Connection, address: { kind: RoomKind; code: string }): HostingRequests {
  return {
    offer: (uid, leaves) => connection.request('rooms/offerHosting', { ...address, uid, leaves }),
    takeBack: () => connection.request('rooms/takeBackHosting', address),
    answer: (takes) => connection.request('rooms/answerHosting', { ...address, takes, tabId: connection.tabId }),
  };
}
