/** The stream of the user: each connection begins with a snapshot of it, from the hello, and each change follows. */
import type { UserChange, UserSnapshot } from '@tunemate/protocol';
import { signal, type Unsubscribe } from '../store/cell.ts';
import type { Streams } from './streams.ts';

export interface UserStream {
  readonly snapshots: ReturnType<typeof signal<UserSnapshot>>;
  readonly changes: ReturnType<typeof signal<UserChange>>;
  followFrom(snapshot: UserSnapshot): void;
  stop(): void;
}

/** `reconnect` opens a new connection: only a hello gives this snapshot, and a connection has one hello. */
export function createUserStream(streams: Streams, reconnect: () => void): UserStream {
  const snapshots = signal<UserSnapshot>();
  const changes = signal<UserChange>();
  let end: Unsubscribe = () => {};
  return {
    snapshots,
    changes,
    followFrom(snapshot) {
      snapshots.emit(snapshot);
      end();
      end = streams.follow(`user:${snapshot.user.uid}`, {
        fromSeq: snapshot.seq,
        onChange: (change) => changes.emit(change),
        resnapshot: () => {
          reconnect();
          return Promise.resolve(null);
        },
      });
    },
    stop: () => end(),
  };
}
