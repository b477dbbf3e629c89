/** A track that a message names: what its card shows, plays on this device, and opens for two. */
import type { RoomCode, TrackCard, VideoId } from '@tunemate/protocol';
import { describe, expect, onTestFinished, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { maraUid } from '../../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { phone, wide } from '../../../testing/screens/browser.ts';
import { type FakeServer, ok, refused, silence } from '../../../testing/screens/fake-server.ts';
import { arrivedAt, button, gone, shown, words, heading, link } from '../../../testing/screens/find.ts';
import { openPage } from '../../../testing/screens/open-page.tsx';
import { beginSpeech } from '../../store/speech.ts';
import { openVoice } from '../voice/open-voice.ts';
import { aConversation, aConversationRow, aMessage, ivoUid } from '../../../testing/screens/people.ts';
import { aTrack, openRoom } from '../../../testing/screens/rooms.ts';
import { navigate } from '../../store/address.ts';

const kitchen = 'lib_0123456789abcdef' as VideoId;
const bus = 'lib_0000000000000abc' as VideoId;
const video = 'dQw4w9WgXcQ' as VideoId;
const linkTo = (id: VideoId) => `${location.origin}/library/${id}`;

const aCard = (videoId: VideoId, more: Partial<TrackCard> = {}): TrackCard => ({
  ...{ videoId, state: 'here', isFilm: false, title: 'Sunday Kitchen', artist: 'Ines Calloway' },
  ...{ album: 'Velvet Hour', durationSeconds: 375.4, thumbnail: null, ...more },
});

interface Given {
  texts?: readonly string[];
  conversation?: Parameters<typeof aConversation>[1];
  cards?: Partial<TrackCard>;
  prepare?: (server: FakeServer) => void;
}

async function openChat({ texts = [linkTo(kitchen)], conversation, cards, prepare }: Given = {}) {
  const messages = texts.map((text, at) => aMessage(ivoUid, at + 1, { text }));
  const opened = await openPage(`/chat/${ivoUid}`, {
    prepare: (server) => {
      server.on('chats/open', () => ok(aConversation('Ivo', { messages, ...conversation })));
      server.on('chats/list', () => ok({ conversations: [aConversationRow('Ivo')] }));
      server.on('chats/mark', () => ok({}));
      server.on('catalogue/cards', ({ videoIds }) => ok({ cards: videoIds.map((id) => aCard(id, cards)) }));
      prepare?.(server);
    },
  });
  return opened.server;
}

const message = (number: number): Locator =>
  page
    .getByRole('log')
    .getByRole('article')
    .nth(number - 1);

test.each([wide, phone])('a link to a track shows its card with its words, $width px wide', async (size) => {
  await page.viewport(size.width, size.height);
  const server = await openChat({ texts: [`This one, before you sleep ${linkTo(kitchen)}`] });
  await shown(words('Sunday Kitchen'));
  await shown(words('Ines Calloway'));
  await shown(words('06:15 · Velvet Hour'));
  await shown(words('This one, before you sleep'));
  await gone(page.getByRole('link', { name: /library/ }));
  await expect.element(button('Play here')).toHaveAccessibleDescription('Sunday Kitchen');
  await expect.element(button('Listen together')).toHaveAccessibleDescription('Sunday Kitchen');
  await expectAccessible('all');
  expect(server.asked('catalogue/cards')).toEqual([{ videoIds: [kitchen] }]);
});

test('the cards of one screen are one request, and each track is asked for once', async () => {
  const server = await openChat({ texts: [linkTo(kitchen), `https://youtu.be/${video}`, linkTo(kitchen), 'words'] });
  await expect.poll(() => button('Play here').elements().length).toBe(3);
  await shown(words('Sunday Kitchen').first());
  expect(server.asked('catalogue/cards')).toEqual([{ videoIds: [kitchen, video] }]);
});

test('nothing moves when the words of a card arrive', async () => {
  const answer = Promise.withResolvers<void>();
  await openChat({
    texts: [linkTo(kitchen), 'below'],
    prepare: (server) =>
      server.on('catalogue/cards', async () => {
        await answer.promise;
        return ok({
          cards: [aCard(kitchen, { title: 'Letter to the harbour master, unsent, and a long way from home' })],
        });
      }),
  });
  await shown(button('Play here'));
  const top = (): number => message(2).element().getBoundingClientRect().top;
  const before = top();
  answer.resolve();
  await shown(words(/Letter to the harbour/));
  expect(top()).toBe(before);
});

test('a track that is not in the library any more keeps its card, whose keys are off', async () => {
  await openChat({ cards: { state: 'gone', title: '', artist: null, album: null, durationSeconds: null } });
  await shown(words('Not in the library now'));
  await expect.element(button('Play here')).toBeDisabled();
  await expect.element(button('Listen together')).toBeDisabled();
  await expectAccessible('all');
});

test.each([
  ['refused', () => refused('limit/too-many')],
  ['not answered', silence],
])('a look-up that is %s leaves a card that plays', async (_what, answer) => {
  await openChat({ prepare: (server) => server.on('catalogue/cards', answer) });
  await shown(words('A track of the library'));
  await expect.element(button('Play here')).toBeEnabled();
});

test('a deleted message and one without a track have no card', async () => {
  const server = await openChat({
    conversation: {
      messages: [
        aMessage(ivoUid, 1, { text: 'https://youtube.com/@somebody' }),
        aMessage(ivoUid, 2, { text: '', state: 'deleted' }),
      ],
    },
  });
  await shown(words('Message deleted'));
  await gone(button('Play here'));
  expect(server.asked('catalogue/cards')).toEqual([]);
});

/** What plays is what the test says, and no file: one that begins by itself would say so in between. */
function withoutFile(element: HTMLMediaElement): void {
  element.removeAttribute('src');
  element.load();
}

/** A card whose file plays as far as its test says; what the page asked of the element. */
async function playHere(id: VideoId, given: Given = {}) {
  const own = { play: HTMLMediaElement.prototype.play, pause: HTMLMediaElement.prototype.pause };
  const server = await openChat({ texts: [linkTo(id)], ...given });
  let [isPaused, seconds] = [true, 0];
  const say = (element: HTMLMediaElement, event: string, paused: boolean) => {
    isPaused = paused;
    element.dispatchEvent(new Event(event));
    return Promise.resolve();
  };
  HTMLMediaElement.prototype.play = function play() {
    return say(this, 'play', false);
  };
  HTMLMediaElement.prototype.pause = function pause() {
    void say(this, 'pause', true);
  };
  onTestFinished(() => void Object.assign(HTMLMediaElement.prototype, own));
  await button('Play here').click();
  await expect.poll(() => document.querySelector('audio, video')).not.toBeNull();
  const element = document.querySelector<HTMLMediaElement>('audio, video')!;
  Object.defineProperties(element, {
    paused: { get: () => isPaused },
    currentTime: {
      get: () => seconds,
      set(now: number) {
        seconds = now;
      },
    },
  });
  withoutFile(element);
  await element.play();
  await shown(button('Pause'));
  const reach = (now: number) => {
    seconds = now;
    element.dispatchEvent(new Event('timeupdate'));
  };
  return { server, reach, element, seconds: () => seconds };
}

test.each([wide, phone])('Play here stops after 30 seconds, and says so, $width px wide', async (size) => {
  await page.viewport(size.width, size.height);
  const { reach, element, seconds } = await playHere(kitchen);
  await shown(words('The first 30 seconds'));
  reach(29.9);
  await shown(button('Pause'));
  reach(30.1);
  await shown(words('That was 30 seconds of it'));
  await shown(button('Play here'));
  await button('Play here').click();
  expect([seconds(), element.paused]).toEqual([0, false]);
  reach(30.1);
  await shown(words('That was 30 seconds of it'));
});

test.each([12, 30.1])('Play all at %d seconds plays on from there, to the end', async (from) => {
  const { reach, element, seconds } = await playHere(kitchen);
  reach(from);
  await button('Play all').click();
  expect([seconds(), element.paused]).toEqual([from, false]);
  await gone(button('Play all'));
  reach(300);
  await shown(button('Pause'));
  element.pause();
  await button('Play here').click();
  expect([seconds(), element.paused]).toEqual([300, false]);
  // Once more, it is a sample again.
  element.dispatchEvent(new Event('ended'));
  await shown(button('Play all'));
});

test('a voice message that is heard or recorded stops it, and it stops one that is heard', async () => {
  const stopped: string[] = [];
  openVoice.stop = () => void stopped.push('voice');
  onTestFinished(() => void (openVoice.stop = () => undefined));
  await playHere(kitchen);
  expect(stopped).toContain('voice');
  const end = beginSpeech();
  await shown(button('Play here'));
  end();
});

test('on a phone a press on the card counts, though it closes the on-screen keyboard', async () => {
  await page.viewport(phone.width, phone.height);
  await openChat();
  await page.getByRole('textbox', { name: 'Message' }).click();
  const panel = page.getByRole('group', { name: /^Keyboard/ });
  await shown(panel);
  await button('Play here').click();
  await shown(words('The first 30 seconds'));
  await gone(panel);
});

test('a track of 30 seconds plays whole', async () => {
  const { reach } = await playHere(kitchen, { cards: { durationSeconds: 30 } });
  await gone(button('Play all'));
  reach(30);
  await shown(button('Pause'));
});

test('a film whose own keys lead on after 30 seconds plays on', async () => {
  const { reach, element } = await playHere(kitchen, { cards: { isFilm: true } });
  reach(31);
  await shown(words('That was 30 seconds of it'));
  await element.play();
  await gone(button('Play all'));
  reach(40);
  await shown(button('Pause'));
});

test('a video of YouTube ends by itself after 30 seconds, until all of it is wanted', async () => {
  await openChat({ texts: [`https://youtu.be/${video}`] });
  await button('Play here').click();
  const end = () => new URL(document.querySelector('iframe')?.src ?? 'about:blank').searchParams.get('end');
  await expect.poll(end).toBe('30');
  await button('Play all').click();
  await expect.poll(end).toBeNull();
  await gone(button('Play all'));
  await button('Stop').click();
  await gone(page.getByTitle('Sunday Kitchen'));
  await button('Play here').click();
  await expect.poll(end).toBe('30');
});

test('Play here plays the file on this device, one card at a time, and turns to Pause', async () => {
  const paused: string[] = [];
  const own = { play: HTMLMediaElement.prototype.play, pause: HTMLMediaElement.prototype.pause };
  const files = new Map<HTMLMediaElement, string>();
  const audio = async (at: number): Promise<HTMLMediaElement> => {
    await expect.poll(() => document.querySelectorAll('audio').length).toBe(at + 1);
    const element = document.querySelectorAll('audio')[at] as HTMLAudioElement;
    files.set(element, new URL(element.src).pathname);
    withoutFile(element);
    return element;
  };
  try {
    const server = await openChat({ texts: [linkTo(kitchen), linkTo(bus)] });
    await expect.poll(() => button('Play here').elements().length).toBe(2);
    await button('Play here').first().click();
    const first = await audio(0);
    HTMLMediaElement.prototype.play = function play() {
      this.dispatchEvent(new Event('play'));
      return Promise.resolve();
    };
    HTMLMediaElement.prototype.pause = function pause() {
      paused.push(files.get(this) ?? '');
      this.dispatchEvent(new Event('pause'));
    };
    void first.play();
    await shown(button('Pause'));
    await expectAccessible('all');
    // By key, on the other card.
    button('Play here').element().focus();
    await userEvent.keyboard('{Enter}');
    void (await audio(1)).play();
    await expect.poll(() => paused).toEqual([`/media/${kitchen}`]);
    await expect.poll(() => button('Pause').elements().length).toBe(1);
    await button('Pause').click();
    await expect.poll(() => paused).toEqual([`/media/${kitchen}`, `/media/${bus}`]);
    await expect.poll(() => button('Play here').elements().length).toBe(2);
    // Nothing of it is said to the server.
    expect(server.unforeseen).toEqual([]);
  } finally {
    Object.assign(HTMLMediaElement.prototype, own);
  }
});

test('a file that does not play says so, and may be tried again', async () => {
  await openChat();
  await button('Play here').click();
  await expect.poll(() => document.querySelector('audio')).not.toBeNull();
  const element = document.querySelector('audio')!;
  element.dispatchEvent(new Event('error'));
  // By itself, before the page is drawn without it.
  element.dispatchEvent(new Event('play'));
  await shown(words('This did not play here. Try again.'));
  await shown(button('Play here'));
});

test('Listen together opens a room for both in which the track plays', async () => {
  const server = await openChat({
    prepare: (stand) => {
      stand.on('rooms/create', () => ok({ code: 'A1B2C3' as RoomCode }));
      stand.on('notifications/invite', () => ok({}));
      stand.on('rooms/lendRemote', () => ok({}));
      stand.on('rooms/enter', silence);
      stand.on('clock/probe', silence);
    },
  });
  await shown(words('Sunday Kitchen'));
  await button('Listen together').click();
  await arrivedAt('/audio-room/A1B2C3');
  expect(server.asked('rooms/create')).toMatchObject([{ kind: 'audio', name: 'Mara & Ivo' }]);
  expect(server.asked('notifications/invite')).toMatchObject([
    { uid: ivoUid, room: { kind: 'audio', code: 'A1B2C3' } },
  ]);
  expect(history.state).toEqual({
    first: { videoId: kitchen, title: 'Sunday Kitchen – Ines Calloway', durationSeconds: 375.4 },
  });
});

test('a room that can’t be opened says why, and no person is invited', async () => {
  const server = await openChat({
    prepare: (stand) => stand.on('rooms/create', () => refused('room/too-many-live-rooms')),
  });
  await button('Listen together').click();
  await shown(words('That did not work'));
  expect(server.asked('notifications/invite')).toEqual([]);
  await arrivedAt(`/chat/${ivoUid}`);
});

test('who can’t be invited is offered no room', async () => {
  await openChat({ conversation: { isTunemate: false } });
  await shown(button('Play here'));
  await gone(button('Listen together'));
});

test('an own message has the same card', async () => {
  await openChat({ conversation: { messages: [aMessage(ivoUid, 1, { sender: maraUid, text: linkTo(kitchen) })] } });
  await shown(words('Sunday Kitchen'));
  await expectAccessible('all');
});

test('a link to a track that is opened by itself leads to its card', async () => {
  const prepare = (server: FakeServer) =>
    server.on('catalogue/cards', ({ videoIds }) => ok({ cards: videoIds.map((id) => aCard(id)) }));
  await openPage(`/library/${kitchen}`, { prepare });
  await shown(words('Sunday Kitchen'));
  await shown(button('Play here'));
  await gone(button('Listen together'));
  await expectAccessible();
});

test('a link that names no track says so', async () => {
  await openPage('/library/lib_');
  await shown(words('This link names no track'));
});

/**
 * A card of a track that is played while the user hosts a room: the room is silent here, and goes on for all others.
 */
describe('in a room', () => {
  const kitchen = 'lib_0123456789abcdef' as VideoId;
  const card: TrackCard = {
    ...{ videoId: kitchen, state: 'here', isFilm: false, title: 'Sunday Kitchen', artist: null },
    ...{ album: null, durationSeconds: 375, thumbnail: null },
  };

  test('a card that plays is heard on this device alone: the room it hosts is silent here, and gets no command', async () => {
    const text = `${location.origin}/library/${kitchen}`;
    const { server } = await openRoom('audio', {
      playing: { tracks: [aTrack('a')], isPlaying: true },
      prepare: (stand) => {
        stand.on('chats/list', () => ok({ conversations: [aConversationRow('Ivo')] }));
        stand.on('chats/open', () => ok(aConversation('Ivo', { messages: [aMessage(ivoUid, 1, { text })] })));
        stand.on('chats/mark', () => ok({}));
        stand.on('catalogue/cards', () => ok({ cards: [card] }));
      },
    });
    await shown(heading('Friday Slow Burn'));
    const ofRoom = () => document.querySelector<HTMLMediaElement>('[data-testid="player-media"]');
    await expect.poll(() => ofRoom()?.muted).toBe(false);
    navigate(`/chat/${ivoUid}`);
    await shown(link(/^Return to room: /));
    // The page reports the length of what plays once its file has loaded, and where it is when the machine has stalled
    // it.
    const reports = new Set(['measured', 'reanchor']);
    const commands = () =>
      server.asked('playback/write').flatMap(({ intent }) => (reports.has(intent.type) ? [] : [intent.type]));
    const before = commands();
    await button('Play here').click();
    const ofCard = () => document.querySelector<HTMLMediaElement>(`[src="/media/${kitchen}"]`);
    await expect.poll(() => ofCard()?.paused).toBe(false);
    await shown(words('Your room is silent while this plays.'));
    await expect.poll(() => ofRoom()?.muted).toBe(true);
    expect(ofRoom()).not.toBe(ofCard());
    await page.getByRole('log').getByRole('button', { name: 'Pause' }).click();
    await gone(words('Your room is silent while this plays.'));
    await expect.poll(() => ofRoom()?.muted).toBe(false);
    await button('Play here').click();
    await expect.poll(() => ofRoom()?.muted).toBe(true);
    // The card leaves the screen.
    await link(/^Return to room: /).click();
    await shown(heading('Friday Slow Burn'));
    await expect.poll(() => ofRoom()?.muted).toBe(false);
    await gone(button('Play here'));
    expect(commands()).toEqual(before);
  });
});
