/** Who may control what a room plays: the host, and people who hold the remote. Pure. */
import { limits, type Remote, type RemoteUse, type Result, type Uid } from '@tunemate/protocol';

/** A room and the remote in it; null while only the host has it. */
interface RemoteFacts {
  readonly host: string;
  readonly remote: Remote | null;
}

/** Whether a member of the room may control what plays. */
export function holdsRemote({ host, remote }: RemoteFacts, uid: string): boolean {
  return uid === host || remote?.use === 'everyone' || remote?.holders.some((each) => each === uid) === true;
}

/** The remote after the host chose who may use it. With 'host' all who held it lose it. */
export function remoteUsedBy(remote: Remote | null, use: RemoteUse): Remote | null {
  return use === 'host' ? null : { use, holders: remote?.holders ?? [] };
}

/** The remote after it was lent to a person, or taken or given back. Refused with input/invalid beyond its most holders. */
export function lent(remote: Remote | null, uid: Uid, isLent: boolean): Result<Remote | null> {
  const others = (remote?.holders ?? []).filter((each) => each !== uid);
  if (!isLent) return { ok: true, value: remote && { ...remote, holders: others } };
  if (others.length >= limits.remoteHolders) return { ok: false, error: { code: 'input/invalid', field: 'uid' } };
  return { ok: true, value: { use: remote?.use ?? 'lent', holders: [...others, uid] } };
}
