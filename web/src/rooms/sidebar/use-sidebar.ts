/** The rail of the room on the screen: what is opened in it, for a window of this width, and where the focus goes. */
import { useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import {
  railAtRest,
  shelvesOf,
  withChatToggled,
  withLowered,
  withOpened,
  withSpine,
  type RailFacts,
  type Shelf,
  type Shelves,
} from './sidebar-panels.ts';
import { useWindowWidth } from '../../ui/layout/use-wide-screen.ts';

export interface Rail {
  readonly shelves: Shelves;
  readonly isChatOpen: boolean;
  /** Whether a shelf was opened in the place of the others. */
  readonly isRaised: boolean;
  readonly searchField: RefObject<HTMLInputElement | null>;
  /** The element that holds the shelves, each marked with `data-shelf`. */
  readonly element: RefObject<HTMLElement | null>;
  readonly toggleChat: () => void;
  /** Opens a folded shelf and puts the focus there. */
  open(shelf: Shelf): void;
  lower(): void;
  setSpine(isSpine: boolean): void;
}

export function useRail(facts: Omit<RailFacts, 'choice' | 'width'> & { isSearching: boolean }): Rail {
  const { isSearching } = facts;
  const width = useWindowWidth();
  const [choice, setChoice] = useState(railAtRest);
  const [wasSearching, setWasSearching] = useState(isSearching);
  const searchField = useRef<HTMLInputElement>(null);
  const element = useRef<HTMLElement>(null);
  if (wasSearching !== isSearching) {
    setWasSearching(isSearching);
    if (isSearching) setChoice(withLowered);
  }
  return {
    shelves: shelvesOf({ ...facts, choice, width }),
    isChatOpen: choice.isChatOpen,
    isRaised: choice.raised !== null,
    searchField,
    element,
    toggleChat: () => setChoice(withChatToggled),
    open(shelf) {
      flushSync(() => setChoice((now) => withOpened(now, shelf, width)));
      const place = element.current?.querySelector<HTMLElement>(`[data-shelf='${shelf}']`);
      (shelf === 'find' ? searchField.current : place)?.focus();
    },
    lower: () => setChoice(withLowered),
    setSpine: (isSpine) => setChoice((now) => withSpine(now, isSpine)),
  };
}
