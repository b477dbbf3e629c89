/** The printed inks, and the ink and letter of a person's avatar. */

/** An ink a page, card or dialog may wear. Colour values live in styles/tokens.css. */
export type BandInk = 'persimmon' | 'marigold' | 'blush' | 'celadon' | 'paper';

export type AvatarInk = BandInk | 'sky' | 'lilac' | 'citron';

/** Hex values for places CSS variables cannot reach, such as `<meta name="theme-color">`. */
export const bandHex = {
  persimmon: '#ff6b3d',
  marigold: '#ffb938',
  blush: '#ff9fa8',
  celadon: '#a9d8bc',
  paper: '#fbefe3',
} as const satisfies Record<BandInk, string>;

const avatarInks: readonly AvatarInk[] = [
  'persimmon',
  'sky',
  'celadon',
  'marigold',
  'lilac',
  'citron',
  'blush',
  'paper',
];

/** How many people can have inks that differ. */
export const inkedPeople = avatarInks.length;

/** The label ink of an id: the same on every device and forever (FNV-1a, 32 bits, modulo the eight inks). */
export function avatarInk(id: string): AvatarInk {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1) {
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  }
  // The high half is folded in because the low bits of this hash alone spread short ids unevenly.
  return avatarInks[((hash ^ (hash >>> 16)) >>> 0) % avatarInks.length] ?? 'persimmon';
}

/**
 * Inks that differ between these people until all eight are used: the first who has an ink keeps it, the next one with the
 * same takes the first that is free. The same list gives the same inks on every device.
 */
export function inksOf(ids: readonly string[]): ReadonlyMap<string, AvatarInk> {
  const inks = new Map<string, AvatarInk>();
  const free = new Set(avatarInks);
  for (const id of ids) {
    const own = avatarInk(id);
    const [first = own] = free;
    const ink = free.has(own) ? own : first;
    inks.set(id, ink);
    free.delete(ink);
  }
  return inks;
}

/** The letter on an avatar: the first letter or digit of the name, upper-case; a middle dot when there is none. */
export function avatarInitial(name: string): string {
  const first = /[\p{L}\p{N}]/u.exec(name)?.[0];
  return first === undefined ? '·' : first.toLocaleUpperCase();
}
