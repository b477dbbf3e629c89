/**
 * The meaning of a key for a room's player, and the keys that the focused control needs itself. Pure.
 */

export type KeyIntent =
  | { readonly type: 'toggle' | 'next' | 'previous' | 'mute' | 'full-screen' | 'help' }
  | { readonly type: 'skip'; readonly seconds: number }
  | { readonly type: 'tenth'; readonly tenths: number }
  | { readonly type: 'volume'; readonly step: number };

/** The part of a KeyboardEvent that matters. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly repeat: boolean;
}

/** Keys that the focused control needs: none, all, Space (a button), the arrows (a slider), or both. */
export type KeyUse = 'none' | 'typing' | 'press' | 'arrows' | 'scroll';

const intents: ReadonlyMap<string, KeyIntent> = new Map<string, KeyIntent>([
  [' ', { type: 'toggle' }],
  ['k', { type: 'toggle' }],
  ['ArrowLeft', { type: 'skip', seconds: -5 }],
  ['ArrowRight', { type: 'skip', seconds: 5 }],
  ['j', { type: 'skip', seconds: -10 }],
  ['l', { type: 'skip', seconds: 10 }],
  ['ArrowUp', { type: 'volume', step: 0.05 }],
  ['ArrowDown', { type: 'volume', step: -0.05 }],
  ['m', { type: 'mute' }],
  ['f', { type: 'full-screen' }],
  ['n', { type: 'next' }],
  ['p', { type: 'previous' }],
  ['?', { type: 'help' }],
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((tenths) => [String(tenths), { type: 'tenth', tenths }] as const),
]);

const arrows: readonly string[] = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];
const neededBy: Readonly<Record<KeyUse, (key: string) => boolean>> = {
  none: () => false,
  typing: () => true,
  press: (key) => key === ' ',
  arrows: (key) => arrows.includes(key),
  scroll: (key) => key === ' ' || arrows.includes(key),
};

/** The intent of a key press; null for none. */
export function keyIntent(press: KeyPress, focus: KeyUse): KeyIntent | null {
  const { key, ctrlKey, altKey, metaKey, shiftKey } = press;
  if (ctrlKey || altKey || metaKey || neededBy[focus](key)) return null;
  // Some keyboards need Shift for digits and `?`; for every other key Shift is a modifier.
  if (shiftKey && !/^[1-9?]$/u.test(key)) return null;
  return intents.get(key.length === 1 ? key.toLowerCase() : key) ?? null;
}

/** Whether the intent repeats while the key is held down. */
export function mayRepeat({ type }: KeyIntent): boolean {
  return type === 'skip' || type === 'volume';
}

/** Whether it affects this device only; all other intents are the host's. */
export function isOwnDevice({ type }: KeyIntent): boolean {
  return type === 'volume' || type === 'mute' || type === 'full-screen' || type === 'help';
}

/** The target of a skip or a jump, in seconds; null for none, as without a length or in a live stream. */
export function keyTarget(
  intent: KeyIntent,
  {
    positionSeconds,
    durationSeconds,
    isLive,
  }: { positionSeconds: number; durationSeconds: number | null; isLive: boolean },
): number | null {
  if (isLive) return null;
  if (intent.type === 'tenth') return durationSeconds === null ? null : (durationSeconds * intent.tenths) / 10;
  if (intent.type !== 'skip') return null;
  return Math.min(durationSeconds ?? Infinity, Math.max(0, positionSeconds + intent.seconds));
}
