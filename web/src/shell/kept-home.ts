/** The user's home as this device stored it: shown while the server can't be reached, and in an installed app until it answers. */
import type { ConversationRow, Uid, UserSnapshot, YourRoom } from '@tunemate/protocol';
import type { SessionModel } from '../accounts/sign-in/session-model.ts';
import type { DrivenConnection } from '../connection/connection.ts';
import type { Cell } from '../store/cell.ts';
import type { Kept } from '../store/kept.ts';

export interface KeptHome {
  readonly snapshot: UserSnapshot;
  /** Null when home was not open since the page started. */
  readonly rooms: readonly YourRoom[] | null;
}

/** An installed app is on its user's own device; a tab may be on a computer that others use, too. */
export const isInstalled = (): boolean => matchMedia('(display-mode: standalone)').matches;

interface KeptPage {
  readonly kept: Kept;
  readonly session: SessionModel;
  readonly connection: DrivenConnection;
  readonly yourRooms: Cell<KeptHome['rooms']>;
}

/**
 * Signs the page in as this device knows the user, unless the server has answered before; the next connection replaces what
 * the page shows, or refuses the session. Who is online and what is unread is not known, and not claimed: the chats that
 * waited have their place alone. Answers whether there was anything to show.
 */
export function restoreHome({ kept, session, connection, yourRooms }: KeptPage): boolean {
  const found = kept.readHome() as KeptHome | undefined;
  const isAnswered = connection.status.get().status === 'live';
  if (found === undefined || isAnswered || !session.takeKept(found.snapshot.user)) return false;
  const { snapshot, rooms } = found;
  yourRooms.set(yourRooms.get() ?? rooms);
  const away = <Person extends { presence: { uid: Uid } }>(person: Person): Person => ({
    ...person,
    presence: { ...person.presence, state: 'offline' },
  });
  connection.takeKept({
    ...snapshot,
    soulmate: snapshot.soulmate && away(snapshot.soulmate),
    tunemates: snapshot.tunemates.map(away),
    unreadChats: 0,
    serverNowMs: Date.now(),
  });
  return true;
}

/** Home lists it: it has unread words of a person whom the user knows, and was not put away. */
export const isWaiting = ({ unread, isArchived, isStranger }: ConversationRow): boolean =>
  unread > 0 && !isArchived && isStranger !== true;
