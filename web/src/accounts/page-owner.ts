/**
 * Whose page this is: of the first who is signed in on it. Models, drafts and messages that wait to be sent are theirs,
 * so the page begins anew for anybody else. The session may change without a load: by a sign-in after the one before
 * ended elsewhere, or while the device slept.
 */
import type { Uid } from '@tunemate/protocol';

export interface PageOwner {
  /** Null until somebody is signed in. */
  get(): Uid | null;
  /** False when the page is somebody else's. */
  take(uid: Uid): boolean;
}

export function createPageOwner(): PageOwner {
  let owner: Uid | null = null;
  return {
    get: () => owner,
    take(uid) {
      owner ??= uid;
      return uid === owner;
    },
  };
}
