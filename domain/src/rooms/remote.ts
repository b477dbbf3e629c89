/** Who may control what a room plays: the host, and people who hold the remote. Pure. */
import { limits, type Result, type RoomSettings, type SettingsPatch, type Uid } from '@tunemate/protocol';

/** The remote of a room. Without a holder it is lent to none, and only the host has it unless all do. */
export type Remote = Pick<RoomSettings, 'remoteUse' | 'remoteHolders'>;

/** The remote that only the host has. */
export const ownRemote: Remote = { remoteUse: 'host', remoteHolders: [] };

/** Whether a member of the room may control what plays. */
export function holdsRemote({ host, remoteUse, remoteHolders }: Remote & { readonly host: string }, uid: string) {
  return uid === host || remoteUse === 'everyone' || remoteHolders.some((each) => each === uid);
}

/** What the host changes, with what follows from it: by taking the remote back all who held it lose it. */
export const withWhatFollows = (patch: SettingsPatch): Partial<RoomSettings> =>
  patch.remoteUse === 'host' ? { ...patch, ...ownRemote } : patch;

/** The remote after it was lent to a person, or taken or given back. Refused with input/invalid beyond its most holders. */
export function lent({ remoteUse, remoteHolders }: Remote, uid: Uid, isLent: boolean): Result<Remote> {
  const others = remoteHolders.filter((each) => each !== uid);
  if (!isLent) return { ok: true, value: { remoteUse, remoteHolders: others } };
  if (others.length >= limits.remoteHolders) return { ok: false, error: { code: 'input/invalid', field: 'uid' } };
  const use = remoteUse === 'host' ? 'lent' : remoteUse;
  return { ok: true, value: { remoteUse: use, remoteHolders: [...others, uid] } };
}
