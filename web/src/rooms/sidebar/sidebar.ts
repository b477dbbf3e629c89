/** The sidebar of a room: which of its panels are full and which are folded, and the focus when a panel opens. */
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useWindowWidth, type WindowWidth } from '../../ui/layout/use-wide-screen.ts';

/** A part of the host's desk. */
export type DeskPart = 'requests' | 'proposals' | 'skips';
/** Each with an entry in `panels.tsx`. */
export type Panel = 'people' | 'invite' | 'requests' | 'search' | 'next' | 'suggested' | 'chat';

/** What the user opened. */
export interface SidebarChoice {
  readonly isChatOpen: boolean;
  /** The panel that takes the height of the others. */
  readonly raised: Exclude<Panel, 'search' | 'chat'> | null;
  /** A column of tabs replaces the sidebar, and the picture is larger. */
  readonly isWideView: boolean;
}

export interface SidebarFacts {
  readonly choice: SidebarChoice;
  readonly width: WindowWidth;
  /** True also while searching. */
  readonly hasResults: boolean;
  readonly canSearch: boolean;
  /** The number of pending requests to join. */
  readonly waiting: number;
  /** In full screen the requests are folded until the user opens them. */
  readonly isFull?: boolean;
}

export interface SidebarPanels {
  readonly requests: 'full' | 'folded' | 'gone';
  /** The host's desk lies open over the panels, and moves none of them. */
  readonly isDeskOpen: boolean;
  /** 'key': a button that opens the field; 'covered': the field with a button that shows the results. */
  readonly search: 'field' | 'results' | 'covered' | 'key' | 'gone';
  /** The one that takes the height of the others, which are folded; 'rest' while none does. */
  readonly filled: Panel | 'rest';
  readonly chat: 'full' | 'folded';
  /** The chat stands beside the other panels. */
  readonly isChatColumn: boolean;
  readonly isWideView: boolean;
}

export type Sidebar = ReturnType<typeof useSidebar>;

export function useSidebar(facts: Omit<SidebarFacts, 'choice' | 'width'> & { isSearching: boolean }) {
  const { isSearching } = facts;
  const width = useWindowWidth();
  const [choice, setChoice] = useState(() => ({ ...sidebarAtRest, isChatOpen: matchMedia(hasSpaceForChat).matches }));
  const [deskPart, setDeskPart] = useState<DeskPart>('requests');
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
    /** The part of the desk that was pressed. */
    deskPart,
    openDesk(part: DeskPart): void {
      setDeskPart(part);
      setChoice((now) => (facts.isFull === true ? withOpened(now, 'requests', width) : withDeskOpen(now)));
    },
    searchField,
    /** The element that contains the panels, each marked with `data-panel`. */
    element,
    toggleChat: (): void => setChoice(withChatToggled),
    /** Opens a folded panel and moves the focus there. */
    open(panel: Panel): void {
      const opensDesk = panel === 'requests' && facts.isFull !== true;
      flushSync(() => setChoice((now) => (opensDesk ? withDeskOpen(now) : withOpened(now, panel, width))));
      const place = element.current?.querySelector<HTMLElement>(`[data-panel='${panel}']`);
      (panel === 'search' ? searchField.current : place)?.focus();
    },
    lower: (): void => setChoice(withLowered),
    setWideView: (isWideView: boolean): void => setChoice((now) => withWideView(now, isWideView)),
  };
}

/** Where the chat is a column of its own, it is open by itself. */
const hasSpaceForChat = '(width >= 100em)';

export const sidebarAtRest: SidebarChoice = { isChatOpen: false, raised: null, isWideView: false };

export function panelsOf(facts: SidebarFacts): SidebarPanels {
  const { choice, width, waiting, canSearch } = facts;
  const { isChatOpen } = choice;
  const isWideView = choice.isWideView && width !== 'phone';
  const isFull = facts.isFull === true;
  // In full screen the requests are a panel among the others; else the desk has them.
  const raised = choice.raised === 'requests' && (waiting === 0 || !isFull) ? null : choice.raised;
  const hasResults = facts.hasResults && canSearch;
  const isChatColumn = isChatOpen && width === 'broad';
  const filled = isChatOpen && !isChatColumn ? 'chat' : (raised ?? (hasResults ? 'search' : 'rest'));
  return {
    requests: waiting === 0 ? 'gone' : filled === 'requests' ? 'full' : 'folded',
    isDeskOpen: choice.raised === 'requests' && !isFull,
    search: !canSearch ? 'gone' : filled === 'chat' ? 'key' : searchForm(filled, hasResults),
    filled,
    chat: isChatOpen ? 'full' : 'folded',
    isChatColumn: isChatColumn && !isWideView,
    isWideView,
  };
}

/** Of a panel that is full while none takes the height. */
export const isFolded = ({ filled }: SidebarPanels, panel: Panel): boolean => filled !== 'rest' && filled !== panel;

function searchForm(filled: Panel | 'rest', hasResults: boolean): SidebarPanels['search'] {
  if (filled === 'search') return 'results';
  return hasResults ? 'covered' : 'field';
}

/** The desk covers the panels, and leaves the chat as it was. */
export function withDeskOpen(choice: SidebarChoice): SidebarChoice {
  return { ...choice, raised: 'requests', isWideView: false };
}

export function withChatToggled(choice: SidebarChoice): SidebarChoice {
  return { ...choice, isChatOpen: !choice.isChatOpen, raised: null };
}

/** After the user pressed a folded panel, or a tab, which ends the wide view. */
export function withOpened(choice: SidebarChoice, panel: Panel, width: WindowWidth): SidebarChoice {
  if (panel === 'chat') return { isChatOpen: true, raised: null, isWideView: false };
  const isChatOpen = choice.isChatOpen && width === 'broad';
  return { isChatOpen, raised: panel === 'search' ? null : panel, isWideView: false };
}

/** After the user closed a raised panel, or searched: it would cover the results. */
export function withLowered(choice: SidebarChoice): SidebarChoice {
  return choice.raised === null ? choice : { ...choice, raised: null };
}

export function withWideView(choice: SidebarChoice, isWideView: boolean): SidebarChoice {
  return { ...choice, isWideView };
}
