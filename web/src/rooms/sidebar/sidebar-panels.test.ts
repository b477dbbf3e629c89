import { describe, expect, test } from 'vitest';
import {
  railAtRest,
  shelvesOf,
  withChatToggled,
  withLowered,
  withOpened,
  withSpine,
  type RailChoice,
  type RailFacts,
} from './sidebar-panels.ts';

const facts = (choice: Partial<RailChoice> = {}, more: Partial<RailFacts> = {}): RailFacts => ({
  choice: { ...railAtRest, ...choice },
  width: 'wide',
  hasResults: false,
  searchPlace: 'rail',
  waiting: 3,
  ...more,
});
const forms = (...args: Parameters<typeof facts>) => {
  const { door, find, people, chat } = shelvesOf(facts(...args));
  return { door, find, people, chat };
};

describe('RAIL-1: the shelves of a rail', () => {
  test('stand at rest with two requests, the search field, everybody, and the last lines of the chat', () => {
    expect(forms()).toEqual({ door: 'full', find: 'field', people: 'full', chat: 'folded' });
    expect(shelvesOf(facts()).doorRows).toBe(2);
    expect(shelvesOf(facts({}, { waiting: 1 })).doorRows).toBe(1);
    expect(shelvesOf(facts({}, { width: 'slim' })).doorRows).toBe(1);
  });

  test('fold beside an open chat, and none disappears', () => {
    expect(forms({ isChatOpen: true })).toEqual({ door: 'folded', find: 'key', people: 'folded', chat: 'full' });
  });

  test('fold beside search results', () => {
    expect(forms({}, { hasResults: true })).toEqual({
      door: 'folded',
      find: 'results',
      people: 'folded',
      chat: 'folded',
    });
  });

  test('have no door while nobody waits, and no search for those who may not choose', () => {
    expect(forms({ raised: 'door' }, { waiting: 0 })).toEqual({
      door: 'gone',
      find: 'field',
      people: 'full',
      chat: 'folded',
    });
    expect(forms({ isChatOpen: true }, { searchPlace: null }).find).toBe('gone');
    expect(forms({}, { searchPlace: 'stage', hasResults: true })).toMatchObject({ find: 'gone', people: 'full' });
  });

  test('show all requests once the door was opened', () => {
    const opened = withOpened({ ...railAtRest, isChatOpen: true }, 'door', 'wide');
    expect(forms(opened)).toEqual({ door: 'full', find: 'field', people: 'folded', chat: 'folded' });
    expect(shelvesOf(facts(opened)).doorRows).toBe(3);
    expect(withLowered(opened)).toEqual(railAtRest);
  });

  test('cover the results with people, and keep them', () => {
    const opened = withOpened(railAtRest, 'people', 'wide');
    expect(forms(opened, { hasResults: true })).toMatchObject({ find: 'covered', people: 'full' });
    expect(forms(withOpened(opened, 'find', 'wide'), { hasResults: true }).find).toBe('results');
  });

  test('put a raised shelf back when the chat is opened or folded', () => {
    const open = withChatToggled({ ...railAtRest, raised: 'people' });
    expect(open).toEqual({ ...railAtRest, isChatOpen: true });
    expect(withChatToggled(open)).toEqual(railAtRest);
  });
});

describe('RAIL-2: from 1600 px', () => {
  test('an open chat is a column of its own and nothing folds', () => {
    const choice = { isChatOpen: true };
    expect(forms(choice, { width: 'broad' })).toEqual({ door: 'full', find: 'field', people: 'full', chat: 'full' });
    expect(shelvesOf(facts(choice, { width: 'broad' })).isChatColumn).toBe(true);
    expect(shelvesOf(facts(choice)).isChatColumn).toBe(false);
  });

  test('opening another shelf leaves the chat open, and folds it below', () => {
    const open = { ...railAtRest, isChatOpen: true };
    expect(withOpened(open, 'people', 'broad').isChatOpen).toBe(true);
    expect(withOpened(open, 'people', 'wide').isChatOpen).toBe(false);
  });
});

describe('RAIL-3: in wide view', () => {
  const spine = withSpine(railAtRest, true);

  test('the rail is a spine, except on phones', () => {
    expect(shelvesOf(facts(spine)).isSpine).toBe(true);
    expect(shelvesOf(facts(spine, { width: 'phone' })).isSpine).toBe(false);
    expect(shelvesOf(facts({ ...spine, isChatOpen: true }, { width: 'broad' })).isChatColumn).toBe(false);
  });

  test.each([
    ['chat', { chat: 'full' }],
    ['door', { door: 'full' }],
    ['people', { people: 'full' }],
    ['find', { find: 'field' }],
  ] as const)('a press of %s unfolds the rail with that shelf full', (shelf, expected) => {
    const choice = withOpened(spine, shelf, 'wide');
    expect(choice.isSpine).toBe(false);
    expect(forms(choice)).toMatchObject(expected);
  });

  test('going back to it keeps what was open', () => {
    expect(withSpine({ ...railAtRest, isChatOpen: true }, true)).toMatchObject({ isChatOpen: true, isSpine: true });
  });
});
