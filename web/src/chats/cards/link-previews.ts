/**
 * The previews of links that messages on the screen have: two are asked for at a time, each once. One that was refused is
 * asked for again when its message is drawn again. Those that the user hid are remembered on this device.
 */
import { putLatest } from '@tunemate/domain';
import type { LinkPreview, PairId } from '@tunemate/protocol';
import type { Connection } from '../../connection/port.ts';
import { type Cell, cell, type Readable } from '../../store/cell.ts';
import { deviceStorage } from '../../store/lenient-storage.ts';

export interface PreviewedMessage {
  readonly pairId: PairId;
  readonly number: number;
  /** Of the link: an edit may change it. */
  readonly href: string;
}

/** Null until the answer, and where there is none. */
type Shown = LinkPreview | null;

export interface LinkPreviews {
  of(message: PreviewedMessage): Readable<Shown>;
  /** It is on the screen. */
  need(message: PreviewedMessage): void;
}

const keyOf = ({ pairId, number, href }: PreviewedMessage): string => `${pairId} ${String(number)} ${href}`;
/** A page that stays open for weeks does not keep all that scrolled by. */
const keptPreviews = 500;
/** As many as the server fetches for one person. */
const atOnce = 2;

function createLinkPreviews(connection: Pick<Connection, 'request'>): LinkPreviews {
  const previews = new Map<string, Cell<Shown>>();
  const answered = new WeakSet<Cell<Shown>>();
  const waiting = new Map<string, PreviewedMessage>();
  const underWay = new Set<string>();

  function cellOf(key: string): Cell<Shown> {
    const known = previews.get(key);
    if (known !== undefined) return known;
    return putLatest(previews, key, cell<Shown>(null), keptPreviews);
  }

  async function askNext(): Promise<void> {
    const [next] = waiting;
    if (next === undefined || underWay.size >= atOnce) return;
    const [key, { pairId, number }] = next;
    waiting.delete(key);
    underWay.add(key);
    const answer = await connection.request('chats/preview', { pairId, number });
    underWay.delete(key);
    if (answer.ok) {
      const shown = cellOf(key);
      answered.add(shown);
      shown.set(answer.value.preview);
    }
    void askNext();
  }

  return {
    of: (message) => cellOf(keyOf(message)),
    need(message) {
      const key = keyOf(message);
      if (answered.has(cellOf(key)) || underWay.has(key)) return;
      waiting.set(key, message);
      void askNext();
    },
  };
}

const made = new WeakMap<Connection, LinkPreviews>();

/** The previews of this page. */
export function linkPreviewsOf(connection: Connection): LinkPreviews {
  const known = made.get(connection) ?? createLinkPreviews(connection);
  made.set(connection, known);
  return known;
}

const hiddenKey = 'tunemate/hidden-previews';
const mostHidden = 200;

/** The latest last. */
export const hiddenPreviews = cell<readonly string[]>(
  (deviceStorage.getItem(hiddenKey) ?? '').split('\n').filter((key) => key !== ''),
);

export const hiddenName = keyOf;

export function hidePreview(message: PreviewedMessage): void {
  hiddenPreviews.update((hidden) => [...hidden, keyOf(message)].slice(-mostHidden));
  deviceStorage.setItem(hiddenKey, hiddenPreviews.get().join('\n'));
}
