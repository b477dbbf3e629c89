/**
 * The stamps that rise over the picture: at most twelve at once, and for screen readers their number, once a minute at
 * most. Knows neither React nor where they are drawn.
 */
import type { Schedule } from '@tunemate/playback';
import type { RoomChange, StampName } from '@tunemate/protocol';
import { cell, type Readable } from '../../store/cell.ts';

export interface RisingStamp {
  readonly key: number;
  readonly stamp: StampName;
}

export interface Cheers {
  readonly rising: Readable<readonly RisingStamp[]>;
  /** '14 reactions', for a polite live region. */
  readonly said: Readable<string>;
  receive(change: RoomChange): void;
  /** It has reached its end. */
  risen(key: number): void;
  close(): void;
}

const mostAtOnce = 12;
const sayEveryMs = 60_000;

export function createCheers(schedule: Schedule): Cheers {
  const rising = cell<readonly RisingStamp[]>([]);
  const said = cell('');
  let lastKey = 0;
  let unsaid = 0;
  let cancel: (() => void) | null = null;

  function say(): void {
    cancel = null;
    if (unsaid === 0) return;
    said.set(unsaid === 1 ? '1 reaction' : `${unsaid} reactions`);
    unsaid = 0;
    cancel = schedule(say, sayEveryMs);
  }

  return {
    rising,
    said,
    receive(change) {
      const isCheer = change.type === 'rooms/cheered' || (change.type === 'rooms/stamped' && change.isOn);
      if (!isCheer) return;
      lastKey += 1;
      const { stamp } = change;
      rising.update((now) => [...now, { key: lastKey, stamp }].slice(-mostAtOnce));
      unsaid += 1;
      cancel ??= schedule(say, sayEveryMs);
    },
    risen: (key) => rising.update((now) => now.filter((one) => one.key !== key)),
    close: () => cancel?.(),
  };
}
