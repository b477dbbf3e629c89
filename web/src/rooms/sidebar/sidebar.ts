/**
 * The sidebar of a room: which of its panels (requests, search, people, chat) are full and which are folded, what this
 * person opened, and where the focus goes. Only the requests disappear, while there are none.
 */
import { useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { useWindowWidth, type WindowWidth } from '../../ui/layout/use-wide-screen.ts';

export type Panel = 'requests' | 'search' | 'people' | 'chat';

/** What this person opened. A raised panel is in the place of the results, or of the rest. */
export interface SidebarChoice {
  readonly isChatOpen: boolean;
  readonly raised: 'requests' | 'people' | null;
  /** The sidebar is folded to a column of tabs, and the picture has its place. */
  readonly isTabs: boolean;
}

export interface SidebarFacts {
  readonly choice: SidebarChoice;
  readonly width: WindowWidth;
  /** Search results exist, or are on their way. */
  readonly hasResults: boolean;
  /** Null for people who can't search. */
  readonly searchPlace: 'sidebar' | 'stage' | null;
  /** How many requests to join are pending. */
  readonly waiting: number;
  /** In full screen the requests are folded until they are opened. */
  readonly isFull?: boolean;
}

export interface SidebarPanels {
  /** 'gone' while there are none. */
  readonly requests: 'full' | 'folded' | 'gone';
  /** How many requests a full panel shows. */
  readonly requestRows: number;
  /** 'key' opens the field; 'covered' has the field, and a key for the results below it. */
  readonly search: 'field' | 'results' | 'covered' | 'key' | 'gone';
  readonly people: 'full' | 'folded';
  readonly chat: 'full' | 'folded';
  /** The chat stands beside the other panels. */
  readonly isChatColumn: boolean;
  readonly isTabs: boolean;
}

export interface Sidebar {
  readonly panels: SidebarPanels;
  readonly isChatOpen: boolean;
  /** Whether a panel was opened in the place of the others. */
  readonly isRaised: boolean;
  readonly searchField: RefObject<HTMLInputElement | null>;
  /** The element that holds the panels, each marked with `data-panel`. */
  readonly element: RefObject<HTMLElement | null>;
  readonly toggleChat: () => void;
  /** Opens a folded panel and puts the focus there. */
  open(panel: Panel): void;
  lower(): void;
  setTabs(isTabs: boolean): void;
}

export function useSidebar(facts: Omit<SidebarFacts, 'choice' | 'width'> & { isSearching: boolean }): Sidebar {
  const { isSearching } = facts;
  const width = useWindowWidth();
  const [choice, setChoice] = useState(sidebarAtRest);
  const [wasSearching, setWasSearching] = useState(isSearching);
  const searchField = useRef<HTMLInputElement>(null);
  const element = useRef<HTMLElement>(null);
  if (wasSearching !== isSearching) {
    setWasSearching(isSearching);
    if (isSearching) setChoice(withLowered);
  }
  return {
    panels: panelsOf({ ...facts, choice, width }),
    isChatOpen: choice.isChatOpen,
    isRaised: choice.raised !== null,
    searchField,
    element,
    toggleChat: () => setChoice(withChatToggled),
    open(panel) {
      flushSync(() => setChoice((now) => withOpened(now, panel, width)));
      const place = element.current?.querySelector<HTMLElement>(`[data-panel='${panel}']`);
      (panel === 'search' ? searchField.current : place)?.focus();
    },
    lower: () => setChoice(withLowered),
    setTabs: (isTabs) => setChoice((now) => withTabs(now, isTabs)),
  };
}

export const sidebarAtRest: SidebarChoice = { isChatOpen: false, raised: null, isTabs: false };

const restRows: Record<WindowWidth, number> = { phone: 2, slim: 1, wide: 2, broad: 2 };

/** What is full and what is folded for these facts. */
export function panelsOf(facts: SidebarFacts): SidebarPanels {
  const { choice, width, waiting, searchPlace } = facts;
  const { isChatOpen } = choice;
  const isTabs = choice.isTabs && width !== 'phone';
  const raised = choice.raised === 'requests' && waiting === 0 ? null : choice.raised;
  const hasResults = facts.hasResults && searchPlace === 'sidebar';
  const isChatColumn = isChatOpen && width === 'broad';
  const filled = isChatOpen && !isChatColumn ? 'chat' : (raised ?? (hasResults ? 'results' : 'rest'));
  const areRequestsFolded =
    filled === 'chat' || filled === 'results' || (facts.isFull === true && filled !== 'requests');
  return {
    requests: waiting === 0 ? 'gone' : areRequestsFolded ? 'folded' : 'full',
    requestRows: filled === 'requests' ? waiting : Math.min(waiting, restRows[width]),
    search: searchPlace !== 'sidebar' ? 'gone' : filled === 'chat' ? 'key' : searchForm(filled, hasResults),
    people: filled === 'rest' || filled === 'people' ? 'full' : 'folded',
    chat: isChatOpen ? 'full' : 'folded',
    isChatColumn: isChatColumn && !isTabs,
    isTabs,
  };
}

function searchForm(filled: 'requests' | 'people' | 'results' | 'rest', hasResults: boolean): SidebarPanels['search'] {
  if (filled === 'results') return 'results';
  return hasResults ? 'covered' : 'field';
}

/** After the bar of the chat was pressed. */
export function withChatToggled(choice: SidebarChoice): SidebarChoice {
  return { ...choice, isChatOpen: !choice.isChatOpen, raised: null };
}

/** After a folded panel was pressed, or a tab, which unfolds the sidebar. */
export function withOpened(choice: SidebarChoice, panel: Panel, width: WindowWidth): SidebarChoice {
  if (panel === 'chat') return { isChatOpen: true, raised: null, isTabs: false };
  const isChatOpen = choice.isChatOpen && width === 'broad';
  return { isChatOpen, raised: panel === 'search' ? null : panel, isTabs: false };
}

/** After a raised panel was put back, or a search began, whose results would be below it. */
export function withLowered(choice: SidebarChoice): SidebarChoice {
  return choice.raised === null ? choice : { ...choice, raised: null };
}

export function withTabs(choice: SidebarChoice, isTabs: boolean): SidebarChoice {
  return { ...choice, isTabs };
}
