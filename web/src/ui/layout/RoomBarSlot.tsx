/** The element into which the room bar is rendered: under the band of the page on phones. */
import { cell } from '../../store/cell.ts';

/** Null while the page has none. */
export const roomBarSlot = cell<HTMLElement | null>(null);

export function RoomBarSlot() {
  return <div style={{ display: 'contents' }} ref={takePlace} />;
}

function takePlace(place: HTMLElement | null) {
  roomBarSlot.set(place);
  return () => roomBarSlot.set(null);
}
