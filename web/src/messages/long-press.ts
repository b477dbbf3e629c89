/** Two gestures of a press that is held: the soulmate gesture on an avatar, and opening the menu of a message. */
import { type DOMAttributes, type HTMLAttributes, useEffect, useState } from 'react';
import { type Clock, deviceClock } from '../store/clock.ts';

const longPressMs = 500;
/** Movement further than this counts as scrolling. */
const slackPx = 10;

interface PointerAt {
  readonly pointerId: number;
  readonly isPrimary: boolean;
  readonly button: number;
  readonly clientX: number;
  readonly clientY: number;
}

interface LongPress {
  /** `detail` is the browser's click count: 0 for a key or a screen reader. */
  click(detail: number, action: () => void): void;
  doubleClick(action: () => void): void;
  down(at: PointerAt, action: () => void): void;
  move(at: Pick<PointerAt, 'pointerId' | 'clientX' | 'clientY'>): void;
  /** A pointer was released, left the element, or was cancelled. */
  lift(pointer: Pick<PointerAt, 'pointerId'>): void;
  end(): void;
  /** True from the press until its end: the browser's context menu would interrupt it. */
  isPressed(): boolean;
}

/** `isOffered` returns whether the gesture is enabled for pointers. */
export function createLongPress(schedule: Clock['schedule'], isOffered: () => boolean): LongPress {
  let press: { readonly cancel: () => void; readonly at: PointerAt } | null = null;

  function end(): void {
    press?.cancel();
    press = null;
  }
  return {
    click(detail, action) {
      if (detail === 0) action();
    },
    doubleClick(action) {
      end();
      if (isOffered()) action();
    },
    down(at, action) {
      end();
      if (at.isPrimary && at.button === 0 && isOffered()) press = { cancel: schedule(action, longPressMs), at };
    },
    // A mouse may rest on the element that a finger holds.
    move({ pointerId, clientX, clientY }) {
      if (pointerId !== press?.at.pointerId) return;
      if (Math.hypot(clientX - press.at.clientX, clientY - press.at.clientY) > slackPx) end();
    },
    lift({ pointerId }) {
      if (pointerId === press?.at.pointerId) end();
    },
    end,
    isPressed: () => press !== null,
  };
}

/**
 * Opens something under a finger that is still down. Lifting it makes nothing: no press of the mouse, which would take the
 * focus from what is open and so close it, no click there, and no menu of the browser. The next press counts again.
 * Clicks of keys and screen readers (`detail` 0) are no release.
 */
function openUnderFinger(open: () => void): void {
  const over = new AbortController();
  const early = { capture: true, passive: false, signal: over.signal };
  const end = (): void => over.abort();
  const ignore = (event: Event): void => {
    event.preventDefault();
    if (event.type !== 'touchend') event.stopPropagation();
  };
  // The end of a touch that is taken makes none of the others; a pen has no touch.
  for (const name of ['touchend', 'mousedown', 'contextmenu']) addEventListener(name, ignore, early);
  addEventListener('click', (event) => event.detail === 0 || (ignore(event), end()), early);
  addEventListener('pointerdown', end, early);
  open();
}

/** Opens something by a press that is held, a right click, the Menu key, or Enter on the focused element. */
export function useHold(open: () => void): HTMLAttributes<HTMLElement> {
  // A mouse has its second button; holding the first one selects text.
  const [hold] = useState(() => createLongPress(deviceClock.schedule, () => true));
  useEffect(() => hold.end, [hold]);
  return {
    onContextMenu(event) {
      // Some devices ask for it by a press that is held.
      const isHeld = hold.isPressed();
      // A right click on a link or a picture opens the browser's own menu.
      if (!isHeld && (event.target instanceof HTMLAnchorElement || event.target instanceof HTMLImageElement)) return;
      event.preventDefault();
      hold.end();
      if (isHeld) openUnderFinger(open);
      else open();
    },
    onKeyDown(event) {
      if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
      event.preventDefault();
      open();
    },
    onPointerDown(event) {
      if (event.pointerType !== 'mouse') hold.down(event, () => openUnderFinger(open));
    },
    onPointerMove: hold.move,
    onPointerUp: hold.lift,
    onPointerCancel: hold.lift,
    onPointerLeave: hold.lift,
  };
}

const isTouchOrNarrow = (): boolean => matchMedia('(width <= 48em), (pointer: coarse)').matches;

type LongPressHandlers = Pick<
  DOMAttributes<HTMLButtonElement>,
  | 'onClick'
  | 'onDoubleClick'
  | 'onContextMenu'
  | 'onPointerDown'
  | 'onPointerMove'
  | 'onPointerUp'
  | 'onPointerCancel'
  | 'onPointerLeave'
>;

/**
 * The soulmate gesture of a button: a double-click or a press of half a second, on touch or narrow screens. Enter and
 * Space do the same everywhere; a single press does nothing.
 */
export function useLongPress(action: () => void): LongPressHandlers {
  const [longPress] = useState(() => createLongPress(deviceClock.schedule, isTouchOrNarrow));
  useEffect(() => longPress.end, [longPress]);
  return {
    onClick: ({ detail }) => longPress.click(detail, action),
    onDoubleClick: () => longPress.doubleClick(action),
    onContextMenu(event) {
      if (longPress.isPressed()) event.preventDefault();
    },
    onPointerDown: (event) => longPress.down(event, () => openUnderFinger(action)),
    onPointerMove: longPress.move,
    onPointerUp: longPress.lift,
    onPointerCancel: longPress.lift,
    onPointerLeave: longPress.lift,
  };
}
