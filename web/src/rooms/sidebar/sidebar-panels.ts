/**
 * Which shelves of a room's rail (door, find, people, chat) are full and which are folded. None but an empty door ever
 * disappears. Pure: no React, no sizes but the four kinds of window.
 */
import type { WindowWidth } from '../../ui/layout/use-wide-screen.ts';

export type Shelf = 'door' | 'find' | 'people' | 'chat';

/** What this person opened. A raised shelf is in the place of the results, or of the rest. */
export interface RailChoice {
  readonly isChatOpen: boolean;
  readonly raised: 'door' | 'people' | null;
  /** The rail is a spine, and the picture has its place. */
  readonly isSpine: boolean;
}

export interface RailFacts {
  readonly choice: RailChoice;
  readonly width: WindowWidth;
  /** Search results exist, or are on their way. */
  readonly hasResults: boolean;
  /** Null for people who can't search. */
  readonly searchPlace: 'rail' | 'stage' | null;
  readonly waiting: number;
  /** In full screen the door is folded until it is opened. */
  readonly isFull?: boolean;
}

export interface Shelves {
  /** 'gone' while nobody waits. */
  readonly door: 'full' | 'folded' | 'gone';
  /** How many requests a full door shows. */
  readonly doorRows: number;
  /** 'key' opens the field; 'covered' has the field, and a key for the results below it. */
  readonly find: 'field' | 'results' | 'covered' | 'key' | 'gone';
  readonly people: 'full' | 'folded';
  readonly chat: 'full' | 'folded';
  /** The chat stands beside the other shelves. */
  readonly isChatColumn: boolean;
  readonly isSpine: boolean;
}

export const railAtRest: RailChoice = { isChatOpen: false, raised: null, isSpine: false };

const restRows: Record<WindowWidth, number> = { phone: 2, slim: 1, wide: 2, broad: 2 };

export function shelvesOf(facts: RailFacts): Shelves {
  const { choice, width, waiting, searchPlace } = facts;
  const { isChatOpen } = choice;
  const isSpine = choice.isSpine && width !== 'phone';
  const raised = choice.raised === 'door' && waiting === 0 ? null : choice.raised;
  const hasResults = facts.hasResults && searchPlace === 'rail';
  const isChatColumn = isChatOpen && width === 'broad';
  const filled = isChatOpen && !isChatColumn ? 'chat' : (raised ?? (hasResults ? 'results' : 'rest'));
  const isDoorFolded = filled === 'chat' || filled === 'results' || (facts.isFull === true && filled !== 'door');
  return {
    door: waiting === 0 ? 'gone' : isDoorFolded ? 'folded' : 'full',
    doorRows: filled === 'door' ? waiting : Math.min(waiting, restRows[width]),
    find: searchPlace !== 'rail' ? 'gone' : filled === 'chat' ? 'key' : findForm(filled, hasResults),
    people: filled === 'rest' || filled === 'people' ? 'full' : 'folded',
    chat: isChatOpen ? 'full' : 'folded',
    isChatColumn: isChatColumn && !isSpine,
    isSpine,
  };
}

function findForm(filled: 'door' | 'people' | 'results' | 'rest', hasResults: boolean): Shelves['find'] {
  if (filled === 'results') return 'results';
  return hasResults ? 'covered' : 'field';
}

/** After the bar of the chat was pressed. */
export function withChatToggled(choice: RailChoice): RailChoice {
  return { ...choice, isChatOpen: !choice.isChatOpen, raised: null };
}

/** After a folded shelf was pressed, in the rail or on the spine, which unfolds. */
export function withOpened(choice: RailChoice, shelf: Shelf, width: WindowWidth): RailChoice {
  if (shelf === 'chat') return { isChatOpen: true, raised: null, isSpine: false };
  const isChatOpen = choice.isChatOpen && width === 'broad';
  return { isChatOpen, raised: shelf === 'find' ? null : shelf, isSpine: false };
}

/** After a raised shelf was put back, or a search began, whose results would be below it. */
export function withLowered(choice: RailChoice): RailChoice {
  return choice.raised === null ? choice : { ...choice, raised: null };
}

export function withSpine(choice: RailChoice, isSpine: boolean): RailChoice {
  return { ...choice, isSpine };
}
