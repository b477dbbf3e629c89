/** Our music: asked, answered, read, deleted; and a blend. */
import type { MusicState, Uid } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { lookOnPhone } from '../../testing/screens/browser.ts';
import { ok, refused } from '../../testing/screens/fake-server.ts';
import { button, focused, gone, leadsTo, link, modal, shown } from '../../testing/screens/find.ts';
import { hostileNames, watchDrawn, watchSaved } from '../../testing/screens/drawn.ts';
import { openPage } from '../../testing/screens/open-page.tsx';
import { openRoom } from '../../testing/screens/rooms.ts';
import { navigate } from '../store/address.ts';
import { aNotification } from '../../testing/screens/people.ts';
import { blendedTracks, ourMusic, ourYear } from '../../testing/screens/our-music.ts';

const uid = 'J'.repeat(22) as Uid;
const jonas = {
  uid,
  name: 'Jonas Weidemann',
  presence: { uid, state: 'offline', last_changed: 1 },
  metIn: ['audio'],
} as const;

const open = (state: MusicState, path = `/our-music/${uid}`) =>
  openPage(path, {
    own: { tunemates: [{ ...jonas, metIn: ['audio'] }] },
    prepare: (fake) => {
      fake.on('music/pair', () => ok(state));
      fake.on('music/year', () => ok(ourYear));
      fake.on('music/keep', () => ok({ outcome: 'done' }));
      fake.on('music/forget', () => ok({}));
    },
  });

test('what two heard together is read, played and, after a question, deleted for both', async () => {
  const { server } = await open({ status: 'kept', music: ourMusic });
  await shown(page.getByRole('heading', { name: 'Mara & Jonas' }));
  await shown(page.getByText('1,284'));
  await shown(page.getByText(/Kitchen Radio, where you met on/));
  await shown(page.getByRole('heading', { name: 'A year ago today' }));
  await shown(page.getByText('2 h 10 min in ‘Kitchen Radio’'));
  await expect.element(page.getByRole('switch', { name: /^Keep what we heard together/ })).toBeChecked();
  await shown(button('Play Song 2'));
  await shown(link('Make a blend'));
  const year = page.getByRole('region', { name: 'Our year' });
  await expect.poll(() => year.element().querySelectorAll('canvas').length).toBe(3);
  await expectAccessible('all');
  await button('What we keep').click();
  await focused(page.getByRole('region', { name: 'What we keep' }));
  await button('Forget it all').click();
  await modal('Forget everything you heard together?').getByRole('button', { name: 'Forget it all' }).click();
  await expect.poll(() => server.asked('music/forget')).toEqual([{ uid }]);
  const [asked] = server.asked('music/pair');
  const day = new Date(asked?.ago.from ?? 0);
  expect([day.getFullYear(), day.getHours()]).toEqual([new Date().getFullYear() - 1, 0]);
});

test('nothing is kept before the other is asked, and a question is answered', async () => {
  const { server } = await open({ status: 'none', askFrom: 0, forgottenBy: null });
  await expectAccessible('all');
  await button('Ask Jonas').click();
  await expect.poll(() => server.asked('music/keep')).toEqual([{ uid, keeps: true }]);
});

test('a question of the other is answered on the page', async () => {
  const { server } = await open({ status: 'asks' });
  await shown(page.getByRole('heading', { name: 'Jonas would like to keep what you hear together' }));
  await button('No').click();
  await expect.poll(() => server.asked('music/keep')).toEqual([{ uid, keeps: false }]);
});

test('the page follows what the other does meanwhile, and what they did while it was out of sight', async () => {
  let state: MusicState = { status: 'none', askFrom: 0, forgottenBy: null };
  const { server } = await open(state);
  server.on('music/pair', () => ok(state));
  await shown(button('Ask Jonas'));
  state = { status: 'asks' };
  const notification = aNotification({ id: 'n6', type: 'music', senderUid: uid });
  server.tell({ type: 'notifications/added', notification, removed: [] });
  await shown(button('Keep it'));
  state = { status: 'kept', music: ourMusic };
  document.dispatchEvent(new Event('visibilitychange'));
  await shown(page.getByRole('heading', { name: 'Mara & Jonas' }));
});

test('a change whose look is refused for a while is looked at again', async () => {
  const { server } = await open({ status: 'none', askFrom: 0, forgottenBy: null });
  await shown(button('Ask Jonas'));
  let looks = 0;
  server.on('music/pair', () => {
    looks += 1;
    return looks === 1 ? refused('limit/too-many', { retryAfterMs: 1 }) : ok({ status: 'asked' });
  });
  await button('Ask Jonas').click();
  await shown(button('Take back'));
});

test.each(['', '/blend', '/year'])('a stranger’s address shows nothing: %s', async (part) => {
  await openPage(`/our-music/${uid}${part}`, {
    prepare: (fake) => fake.on('music/pair', () => refused('access/not-found')),
  });
  await shown(page.getByRole('heading', { name: 'Our music' }));
  await shown(page.getByText('Our music is for tunemates and soulmates.'));
});

test('a blend says why each track is there; one is taken out and put back, and a room opens with the others', async () => {
  const { server } = await openPage(`/our-music/${uid}/blend`, {
    own: { tunemates: [{ ...jonas, metIn: ['audio'] }] },
    prepare: (fake) => {
      const at = Date.now() - 5 * 24 * 60 * 60 * 1000;
      const tracks = blendedTracks.map((track) => (track.of === 'theirs' ? { ...track, at } : track));
      fake.on('music/blend', () => ok({ tracks }));
      fake.on('rooms/create', () => refused('room/too-many-live-rooms'));
    },
  });
  await shown(page.getByText('you both, today'));
  await shown(page.getByText('Mara’s, today'));
  await shown(page.getByText('Jonas’s, of last week'));
  await expectAccessible('all');
  await button('Take out Song 1').click();
  await gone(page.getByText('Song 1', { exact: true }));
  await button('Undo').click();
  await shown(page.getByText('Song 1', { exact: true }));
  await button('Open a room with it').click();
  await expect.poll(() => server.asked('rooms/create')).toMatchObject([{ kind: 'audio' }]);
});

test('the last song of a blend is put back too, and none of a blend into another one', async () => {
  let tracks = blendedTracks.slice(0, 1);
  await openPage(`/our-music/${uid}/blend`, {
    own: { tunemates: [{ ...jonas, metIn: ['audio'] }] },
    prepare: (fake) => fake.on('music/blend', () => ok({ tracks })),
  });
  await button('Take out Song 0').click();
  await gone(page.getByText(/There is too little for a blend/));
  await button('Undo').click();
  await button('Take out Song 0').click();
  tracks = blendedTracks.slice(1);
  await button('Another blend').click();
  await shown(page.getByText('Song 1', { exact: true }));
  await gone(button('Undo'));
});

test('a blend goes into the queue of the room that the tab is in, where the user may add to it', async () => {
  const { server, tell } = await openRoom('audio', {
    guests: [{ uid, name: jonas.name, online: true }],
    own: { tunemates: [{ ...jonas, metIn: ['audio'] }] },
    prepare: (fake) => {
      fake.on('music/blend', () => ok({ tracks: blendedTracks }));
      fake.on('playback/write', () => ok({ revision: 2, added: 3 }));
    },
  });
  navigate(`/our-music/${uid}/blend`);
  await button('Into the queue of Friday Slow Burn').click();
  await shown(page.getByText('3 songs are in the queue of Friday Slow Burn'));
  const items = blendedTracks.map(({ videoId }) => ({ videoId }));
  expect(server.asked('playback/write').at(-1)).toMatchObject({ intent: { type: 'enqueueAll', items } });
  tell({ type: 'rooms/hostChanged', host: uid, hostAwaySince: null });
  await gone(button('Into the queue of Friday Slow Burn'));
});

test('a card of the year has the names of both whole, smaller where they would not fit', async () => {
  const drawn: string[] = [];
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function keepText(text, ...place) {
    drawn.push(text);
    fillText.call(this, text, ...place);
  };
  await openPage(`/our-music/${uid}/year`, {
    own: { tunemates: [{ ...jonas, metIn: ['audio'] }] },
    prepare: (fake) => fake.on('music/year', () => ok(ourYear)),
  });
  await expect.poll(() => drawn).toContain('Mara & Jonas');
  CanvasRenderingContext2D.prototype.fillText = fillText;
});

test.each(hostileNames)(
  'a card with the name %s keeps it as text, within its edges and out of its file’s name',
  async (name) => {
    const drawn = watchDrawn();
    const files = watchSaved();
    const longest = ourYear.longest && { ...ourYear.longest, room: { ...ourYear.longest.room, name } };
    const most = ourYear.most.map((track) => ({ ...track, title: name }));
    await openPage(`/our-music/${uid}/year`, {
      own: { tunemates: [{ ...jonas, name, metIn: ['audio'] }] },
      prepare: (fake) => fake.on('music/year', () => ok({ ...ourYear, most, longest })),
    });
    await expect.poll(() => drawn().length).toBeGreaterThan(12);
    await button('Keep as a picture').click();
    await expect.poll(files).toEqual([expect.stringMatching(/^our-[a-z]+-\d{4}\.png$/)]);
    expect(drawn().filter(({ left, right }) => left < 0 || right > 1080)).toEqual([]);
    expect(document.querySelector('img[src="x"]')).toBeNull();
  },
);

test('the year has cards with words beside each picture, and one is kept as a picture', async () => {
  await openPage(`/our-music/${uid}/year`, {
    own: { tunemates: [{ ...jonas, metIn: ['audio'] }] },
    prepare: (fake) => fake.on('music/year', () => ok(ourYear)),
  });
  await shown(page.getByText(/^Mara & Jonas\. Our year/).first());
  await leadsTo(link('Our music'), `/our-music/${uid}`);
  await page.getByRole('button', { name: /^1,284 minutes in the same second\. 41 evenings/ }).click();
  await expectAccessible('all');
  const names: string[] = [];
  const { click } = HTMLAnchorElement.prototype;
  HTMLAnchorElement.prototype.click = function keepName(this: HTMLAnchorElement) {
    names.push(this.download);
  };
  await button('Keep as a picture').click();
  await expect.poll(() => names[0]).toMatch(/^our-minutes-\d+\.png$/);
  HTMLAnchorElement.prototype.click = click;
});

test('on phones the cards of the year are swiped, and the band leads back', async () => {
  await lookOnPhone();
  await openPage(`/our-music/${uid}/year`, {
    own: { tunemates: [{ ...jonas, metIn: ['audio'] }] },
    prepare: (fake) => fake.on('music/year', () => ok(ourYear)),
  });
  await leadsTo(link('Back'), `/our-music/${uid}`);
  await gone(link('Our music'));
  const minutes = button(/^1,284 minutes/);
  await expect.element(minutes).toHaveAttribute('aria-pressed', 'false');
  await minutes.click();
  await expect.element(minutes).toHaveAttribute('aria-pressed', 'true');
  await expectAccessible('both');
});
