/** Where the system sets all colours, what is chosen still looks different from what is not. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands, page } from 'vitest/browser';
import { uidOf } from '../../testing/connection-fixtures.ts';
import { button, shown } from '../../testing/screens/find.ts';
import { aTrack, openRoom } from '../../testing/screens/rooms.ts';

beforeAll(() => commands.forceColors(true));
afterAll(() => commands.forceColors(false));

const ada = { uid: uidOf('Ada'), name: 'Ada', online: true };
const playing = { tracks: [aTrack('a'), aTrack('b')] };

/** How the borders of these are drawn. */
const borders = (selector: string): string[] =>
  Array.from(document.querySelectorAll(selector), (one) => getComputedStyle(one).borderTop);

/** Each that is chosen has another border than each that could be. */
function expectDifferent(chosen: string, others: string): void {
  const [here, there] = [borders(chosen), borders(others)];
  expect(here).not.toEqual([]);
  expect(there).not.toEqual([]);
  expect(here.filter((border) => there.includes(border))).toEqual([]);
}

test('the answers to a question, the view and the playing track', async () => {
  await openRoom('video', { guests: [ada], playing });
  await shown(button('Audio only view'));
  expectDifferent('fieldset [aria-pressed=true]', 'fieldset [aria-pressed=false]');
  // The queue is a part of its own.
  await expect.poll(() => borders('ol li > button:not([aria-current])')).not.toEqual([]);
  expectDifferent('ol [aria-current]', 'ol li > button:not([aria-current])');
  await button('Leave').click();
  await shown(page.getByRole('radio', { name: /^End for everyone/ }));
  expectDifferent('[role=radiogroup] label:has(:checked)', '[role=radiogroup] label:not(:has(:checked))');
});

test('one’s own vote', async () => {
  const proposals = ['c', 'd'].map((id) => ({ id, track: aTrack(id), proposer: ada.uid, votes: 1 }));
  const controller = 'another tab' as const;
  await openRoom('audio', {
    isHost: false,
    guests: [ada],
    proposals,
    ownVotes: ['c'],
    playing: { ...playing, controller },
  });
  await shown(button(/^1 vote for Track c/));
  expectDifferent('section [aria-pressed=true]', 'section [aria-pressed=false]');
});

test('what an audio room does after the track', async () => {
  await openRoom('audio', { playing });
  await shown(page.getByText('Go on with Suggested'));
  expectDifferent('[role=radiogroup] label:has(:checked)', '[role=radiogroup] label:not(:has(:checked))');
});
