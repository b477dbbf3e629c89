/** The place that a page keeps for the room bar: under its band on phones. The bar itself is put there from outside. */
import { cell } from '../../store/cell.ts';

/** The place on the current page; null while a page has none. */
export const roomBarSlot = cell<HTMLElement | null>(null);

export function RoomBarSlot() {
  return <div style={{ display: 'contents' }} ref={takePlace} />;
}

function takePlace(place: HTMLElement | null) {
  roomBarSlot.set(place);
  return () => roomBarSlot.set(null);
}
