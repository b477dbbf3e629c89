/**
 * Which tab of this browser sounds: of several in rooms, the one that claimed the sound last. The others follow their
 * room in silence. A tab that closes gives the sound back.
 */
import { cell, type Readable } from '../store/cell.ts';

export interface SoundTurn {
  /** True while another tab of this browser sounds. */
  readonly isElsewhere: Readable<boolean>;
  /** This tab sounds from now on: it was opened, or its user does something in it. */
  claim(): void;
  /** This tab is in no room any more. */
  release(): void;
}

/** Later claims win; of two at one moment the one with the larger id, in every tab alike. */
interface Claim {
  readonly at: number;
  readonly id: string;
}
type Message = { readonly type: 'claim'; readonly claim: Claim } | { readonly type: 'released' | 'ask' };

/** Between the tabs of one browser; a tab does not hear itself. */
export interface TurnChannel {
  send(message: unknown): void;
  listen(hear: (message: unknown) => void): void;
}

export function openTurnChannel(): TurnChannel {
  const channel = new BroadcastChannel('tunemate/sound');
  return {
    send: channel.postMessage.bind(channel),
    listen: (hear) => channel.addEventListener('message', ({ data }: MessageEvent) => hear(data)),
  };
}

const isLater = (one: Claim, other: Claim): boolean => one.at > other.at || (one.at === other.at && one.id > other.id);

export function createSoundTurn(channel: TurnChannel, nowMs: () => number, id: string): SoundTurn {
  const isElsewhere = cell(false);
  let own: Claim | null = null;

  function claim(): void {
    own = { at: nowMs(), id };
    isElsewhere.set(false);
    post({ type: 'claim', claim: own });
  }
  const post = (message: Message): void => channel.send(message);

  channel.listen((heard) => {
    // Only this code sends on this channel.
    const message = heard as Message;
    if (message.type === 'claim') {
      if (own === null || isLater(message.claim, own)) isElsewhere.set(true);
      else if (!isElsewhere.get()) post({ type: 'claim', claim: own });
    } else if (message.type === 'ask') {
      if (own !== null && !isElsewhere.get()) post({ type: 'claim', claim: own });
    } else if (isElsewhere.get()) {
      // Several may wait for it: their claims are compared like any others.
      if (own === null) isElsewhere.set(false);
      else claim();
    }
  });
  post({ type: 'ask' });
  return {
    isElsewhere,
    claim,
    release() {
      const hadIt = own !== null && !isElsewhere.get();
      own = null;
      if (hadIt) post({ type: 'released' });
    },
  };
}
