import { describe, expect, test } from 'vitest';
import {
  isFolded,
  sidebarAtRest,
  panelsOf,
  withChatToggled,
  withDeskOpen,
  withLowered,
  withOpened,
  withWideView,
  type SidebarChoice,
  type SidebarFacts,
} from './sidebar.ts';

const facts = (choice: Partial<SidebarChoice> = {}, more: Partial<SidebarFacts> = {}): SidebarFacts => ({
  choice: { ...sidebarAtRest, ...choice },
  width: 'wide',
  hasResults: false,
  canSearch: true,
  waiting: 3,
  ...more,
});
const forms = (...args: Parameters<typeof facts>) => {
  const panels = panelsOf(facts(...args));
  const { requests, search, chat } = panels;
  return { requests, search, people: isFolded(panels, 'people') ? 'folded' : 'full', chat };
};

describe('the panels of a sidebar', () => {
  test('show at rest the first request, the search field, the people, and the last lines of the chat', () => {
    expect(forms()).toEqual({ requests: 'folded', search: 'field', people: 'full', chat: 'folded' });
  });

  test('stay as they are under the open desk, beside an open chat and results too', () => {
    for (const [choice, more] of [
      [{}, {}],
      [{ isChatOpen: true }, {}],
      [{}, { hasResults: true }],
      [{}, { waiting: 0 }],
    ] as const) {
      const open = withDeskOpen({ ...sidebarAtRest, ...choice });
      expect(forms(open, more)).toEqual(forms(choice, more));
      expect([panelsOf(facts(open, more)).isDeskOpen, panelsOf(facts(choice, more)).isDeskOpen]).toEqual([true, false]);
    }
  });

  test('fold beside an open chat, and none disappears', () => {
    expect(forms({ isChatOpen: true })).toEqual({ requests: 'folded', search: 'key', people: 'folded', chat: 'full' });
  });

  test('fold beside search results', () => {
    expect(forms({}, { hasResults: true })).toEqual({
      requests: 'folded',
      search: 'results',
      people: 'folded',
      chat: 'folded',
    });
  });

  test('have no requests while none is pending, and no search for users who may not choose', () => {
    expect(forms({ raised: 'requests' }, { waiting: 0 })).toEqual({
      requests: 'gone',
      search: 'field',
      people: 'full',
      chat: 'folded',
    });
    expect(forms({ isChatOpen: true }, { canSearch: false }).search).toBe('gone');
    expect(forms({}, { canSearch: false, hasResults: true })).toMatchObject({ search: 'gone', people: 'full' });
  });

  test('show all requests in full screen once they were opened', () => {
    const opened = withOpened({ ...sidebarAtRest, isChatOpen: true }, 'requests', 'wide');
    const isFull = { isFull: true };
    expect(forms(opened, isFull)).toEqual({ requests: 'full', search: 'field', people: 'folded', chat: 'folded' });
    expect(withLowered(opened)).toEqual(sidebarAtRest);
  });

  test('cover the results with people, and keep them', () => {
    const opened = withOpened(sidebarAtRest, 'people', 'wide');
    expect(forms(opened, { hasResults: true })).toMatchObject({ search: 'covered', people: 'full' });
    expect(forms(withOpened(opened, 'search', 'wide'), { hasResults: true }).search).toBe('results');
  });

  test('close a raised panel when the chat is opened or folded', () => {
    const open = withChatToggled({ ...sidebarAtRest, raised: 'people' });
    expect(open).toEqual({ ...sidebarAtRest, isChatOpen: true });
    expect(withChatToggled(open)).toEqual(sidebarAtRest);
  });
});

describe('from 1600 px', () => {
  test('an open chat is a column of its own and nothing folds', () => {
    const choice = { isChatOpen: true };
    expect(forms(choice, { width: 'broad' })).toEqual({
      requests: 'folded',
      search: 'field',
      people: 'full',
      chat: 'full',
    });
    expect(panelsOf(facts(choice, { width: 'broad' })).isChatColumn).toBe(true);
    expect(panelsOf(facts(choice)).isChatColumn).toBe(false);
  });

  test('opening another panel leaves the chat open, and folds it below', () => {
    const open = { ...sidebarAtRest, isChatOpen: true };
    expect(withOpened(open, 'people', 'broad').isChatOpen).toBe(true);
    expect(withOpened(open, 'people', 'wide').isChatOpen).toBe(false);
  });
});

describe('in wide view', () => {
  const wide = withWideView(sidebarAtRest, true);

  test('the sidebar is folded to tabs, except on phones', () => {
    expect(panelsOf(facts(wide)).isWideView).toBe(true);
    expect(panelsOf(facts(wide, { width: 'phone' })).isWideView).toBe(false);
    expect(panelsOf(facts({ ...wide, isChatOpen: true }, { width: 'broad' })).isChatColumn).toBe(false);
  });

  test.each([
    ['chat', { chat: 'full' }],
    ['people', { people: 'full' }],
    ['search', { search: 'field' }],
  ] as const)('a press of %s unfolds the sidebar with that panel full', (panel, expected) => {
    const choice = withOpened(wide, panel, 'wide');
    expect(choice.isWideView).toBe(false);
    expect(forms(choice)).toMatchObject(expected);
  });

  test('returning to it keeps what was open', () => {
    expect(withWideView({ ...sidebarAtRest, isChatOpen: true }, true)).toMatchObject({
      isChatOpen: true,
      isWideView: true,
    });
  });
});
