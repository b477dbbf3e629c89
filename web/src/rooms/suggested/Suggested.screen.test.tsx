import type { CatalogueItem } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { lookOnPhone } from '../../../testing/screens/browser.ts';
import { ok } from '../../../testing/screens/fake-server.ts';
import { button, gone, shown } from '../../../testing/screens/find.ts';
import { maraUid } from '../../../testing/connection-fixtures.ts';
import { aTrack, openRoom, type RoomVisit } from '../../../testing/screens/rooms.ts';

const letters = 'b c d e f 1 2 3'.split(' ');
const song = aTrack('a', { title: 'Walking Home', durationSeconds: 125 });
const item = (letter: string, because?: CatalogueItem['because']): CatalogueItem => ({
  ...aTrack(letter, { title: `Track ${letter} – Artist ${letter}` }),
  source: 'library',
  ...(because && { because }),
});
const suggested = (): Locator => page.getByRole('region', { name: 'Suggested' });
const row = (place: number): Locator => suggested().getByRole('listitem').nth(place);
const openAudio = async (items: CatalogueItem[], visit: RoomVisit = {}) => {
  const room = await openRoom('audio', {
    playing: { tracks: [song] },
    ...visit,
    prepare: (server) => {
      server.on('catalogue/suggest', () => ok({ status: 'ok', items }));
      server.on('rooms/propose', () => ok({ outcome: 'proposed' }));
    },
  });
  await shown(suggested());
  return room;
};
/** As a person who scrolls to it. */
const look = (): void => suggested().element().scrollIntoView();

describe("'Suggested'", () => {
  const reasons: readonly (readonly [NonNullable<CatalogueItem['because']>, string])[] = [
    [{ because: 'voted', name: 'Ada' }, 'Ada voted for it'],
    [{ because: 'after', title: 'Umbrella' }, 'often after Umbrella here'],
    [{ because: 'artist', year: 1998 }, 'same artist, 1998'],
    [{ because: 'artist', year: null }, 'same artist'],
    [{ because: 'favourite' }, 'from your favourites'],
    [{ because: 'calm' }, 'calm, like this one'],
  ];

  test('says of each track why, the row plays it and its plus queues it', async () => {
    const room = await openAudio(reasons.map(([because], at) => item(letters[at] ?? '', because)));
    look();
    for (const [at, [, words]] of reasons.entries()) await expect.element(row(at)).toMatchTextContent(words);
    await expectAccessible('all');
    await row(0)
      .getByRole('button', { name: /^Play\s+Track b\s*,\s*Artist b\s*:\s*Ada voted for it$/ })
      .click();
    await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'choose', track: { title: item('b').title } });
    await row(1)
      .getByRole('button', { name: /^Add Track c/ })
      .click();
    await expect
      .poll(() => room.intents().at(-1))
      .toMatchObject({ type: 'enqueue', track: { title: item('c').title } });
    expect(room.server.asked('catalogue/suggest')[0]).toMatchObject({ kind: 'audio', videoId: song.videoId });
  });

  test('shows six, and others by a key that keeps the focus', async () => {
    await openAudio(letters.map((letter) => item(letter)));
    look();
    await shown(row(5));
    expect(suggested().getByRole('listitem').length).toBe(6);
    (button('Other suggestions').element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => suggested().getByRole('listitem').length).toBe(2);
    await expect.element(row(0)).toMatchTextContent('Track 2');
    await expect.element(button('Other suggestions')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(row(0)).toMatchTextContent('Track b');
  });

  test('asks again when a vote, the queue or the track changes, and keeps the list when that fails', async () => {
    const room = await openAudio([item('b')]);
    look();
    await shown(row(0));
    const asked = () => room.server.asked('catalogue/suggest').length;
    expect(asked()).toBe(1);
    room.server.on('catalogue/suggest', () => ({ ok: false, error: { code: 'room/not-member' } }));
    room.tell({ type: 'rooms/proposed', proposal: { id: 'p', track: aTrack('d'), proposer: maraUid, votes: 1 } });
    await expect.poll(asked).toBe(2);
    await shown(row(0));
    room.replace(aTrack('c'));
    await expect.poll(asked).toBe(3);
    await expect.element(row(0)).toMatchTextContent('Track b');
  });

  test('on a phone it asks nothing until it is scrolled to, and says the reason below the artist', async () => {
    await lookOnPhone();
    const tracks = [song, ...letters.flatMap((letter) => [aTrack(letter), aTrack(letter)])];
    // Of a guest, whose queue has no keys that the player covers where the page is scrolled to.
    const playing = { tracks, controller: 'another tab' } as const;
    const room = await openAudio([item('b', { because: 'similar' })], { isHost: false, playing });
    expect(room.server.asked('catalogue/suggest')).toEqual([]);
    look();
    await expect.element(row(0)).toMatchTextContent('similar to this one');
    const [artist, reason] = ['Artist b', 'similar to this one'].map((text) =>
      row(0).getByText(text).element().getBoundingClientRect(),
    );
    expect(reason?.top).toBeGreaterThanOrEqual(artist?.bottom ?? Infinity);
    await expectAccessible('all');
  });

  test('goes on as it was in a window of another size, and asks for nothing that it has', async () => {
    const room = await openAudio(letters.map((letter) => item(letter)));
    look();
    await button('Other suggestions').click();
    await expect.element(row(0)).toMatchTextContent('Track 2');
    const before = suggested().element();
    await lookOnPhone();
    await expect.poll(() => before.isConnected).toBe(false);
    await expect.element(row(0)).toMatchTextContent('Track 2');
    look();
    await expect.element(row(1)).toMatchTextContent('Track 3');
    expect(room.server.asked('catalogue/suggest').length).toBe(1);
  });

  test('a guest reads it and proposes', async () => {
    const room = await openAudio([item('b', { because: 'genre' })], {
      isHost: false,
      playing: { tracks: [song], controller: 'another tab' },
    });
    look();
    await expect.element(row(0)).toMatchTextContent('same genre');
    await gone(suggested().getByRole('button', { name: /^Play/ }));
    await button(`Propose ${item('b').title}`).click();
    await expect.poll(() => room.server.asked('rooms/propose').length).toBe(1);
  });

  test("says 'No suggestions' when there are none", async () => {
    await openAudio([]);
    look();
    await shown(suggested().getByText('No suggestions'));
  });
});
