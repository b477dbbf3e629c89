import { describe, expect, test } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { button, shown, words } from '../../../testing/screens/find.ts';
import { aTrack, openRoom } from '../../../testing/screens/rooms.ts';

const box = (locator: Locator): DOMRect => locator.element().getBoundingClientRect();
const seek = (): Locator => page.getByRole('slider', { name: 'Seek' });

describe('the room in windows of all sizes', () => {
  test.for([
    [320, 640],
    [390, 844],
    [769, 700],
    [1024, 768],
    [1280, 800],
  ] as const)('the head and the deck have room at %i px', async ([width, height]) => {
    await page.viewport(width, height);
    await openRoom('video', { playing: { tracks: [aTrack('f', { title: 'The whole of a very long evening' })] } });
    await shown(button('Invite'));
    const name = page.getByRole('heading', { level: 1 }).element();
    const words = name.parentElement?.getBoundingClientRect();
    for (const part of [name, ...(name.nextElementSibling?.children ?? [])]) {
      const { width: drawn, right } = part.getBoundingClientRect();
      if (drawn > 0) expect(right, part.textContent).toBeLessThanOrEqual((words?.right ?? 0) + 1);
    }
    expect(words?.right).toBeLessThanOrEqual(box(button('Invite')).left);
    expect(box(seek()).width).toBeGreaterThan(60);
    // The deck ends where the picture ends.
    const deck = page.getByRole('region', { name: 'Player' });
    expect(Math.abs(box(deck).right - box(page.getByRole('group', { name: 'View' })).right)).toBeLessThanOrEqual(1);
    await expectAccessible('this');
  });

  test('shows that the chat has no messages yet', async () => {
    await openRoom('video');
    await shown(words('Nobody has written yet.'));
  });
});
