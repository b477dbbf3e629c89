import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { maraUid } from '../../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { ok, refused, type FakeServer } from '../../../testing/screens/fake-server.ts';
import { arrivedAt, button, field, focused, gone, link, modal, shown, words } from '../../../testing/screens/find.ts';
import { drawFinger, middleOf, moveFingerTo, putFingerOn } from '../../../testing/screens/fingers.ts';
import { openPage } from '../../../testing/screens/open-page.tsx';
import { aConversation, aMessage, ivoUid } from '../../../testing/screens/people.ts';
import { speech } from '../../store/speech.ts';

const voice = (voiceId: string, seconds = 21) => ({
  voiceId,
  durationMs: seconds * 1000,
  waveform: Array.from({ length: 38 }, (_, bar) => (bar * 7) % 100),
});
afterEach(() => page.viewport(1280, 800));

const strip = (name: string | RegExp = 'Recording'): Locator => page.getByRole('form', { name });
const microphone = (): Locator => button('Record a voice message');

async function openChat(prepare: (server: FakeServer) => void = () => undefined): Promise<FakeServer> {
  const opened = await openPage(`/chat/${ivoUid}`, {
    config: { voiceMessages: true },
    prepare: (server) => {
      server.on('chats/open', () => ok(aConversation('Ivo')));
      server.on('chats/send', ({ clientId, text }) =>
        ok({ message: aMessage(ivoUid, 1, { sender: maraUid, clientId, text, voice: voice('v1', 2) }) }),
      );
      prepare(server);
    },
  });
  await shown(field('Message'));
  return opened.server;
}

const hold = (target: Locator) => {
  const { x, y } = middleOf(target.element());
  return putFingerOn(x, y);
};
const moveOver = (target: Locator) => {
  const { x, y } = middleOf(target.element());
  return moveFingerTo(x, y);
};

/** At least: on a busy machine the first second is over before the test sees it. */
const recordedASecond = () => expect.element(strip().getByText(/^(?!0:00)\d:\d\d$/)).toBeInTheDocument();

test('a press records, and Enter sends what was recorded, with the room turned down meanwhile', async () => {
  const server = await openChat((stand) => stand.onVoice(() => ok(voice('v1', 2))));
  await microphone().click();
  await recordedASecond();
  expect(speech.get()).toBe(1);
  await focused(button('Send'));
  await expectAccessible();
  await userEvent.keyboard('{Enter}');
  await shown(button('Play voice message, 0:02'));
  expect(server.asked('chats/send')).toMatchObject([{ uid: ivoUid, text: '', voiceId: 'v1' }]);
  expect(speech.get()).toBe(0);
  await focused(microphone());
});

test('Escape throws the recording away', async () => {
  const server = await openChat();
  await microphone().click();
  await recordedASecond();
  await userEvent.keyboard('{Escape}');
  await gone(strip());
  await focused(microphone());
  expect([server.asked('chats/send'), speech.get()]).toEqual([[], 0]);
});

test('Escape in a dialog closes that, and leaves the recording', async () => {
  await openChat();
  await microphone().click();
  await recordedASecond();
  await button('More').click();
  await shown(page.getByRole('dialog'));
  await userEvent.keyboard('{Escape}');
  await gone(page.getByRole('dialog'));
  await shown(strip());
});

test('a recording is stopped, listened to, and sent again after a failure', async () => {
  let isBusy = true;
  await openChat((stand) => stand.onVoice(() => (isBusy ? refused('server/busy') : ok(voice('v1', 2)))));
  await microphone().click();
  await recordedASecond();
  await button('Stop and listen').click();
  await shown(strip('Recorded'));
  expect(speech.get()).toBe(0);
  await button('Listen').click();
  await expect.poll(() => speech.get()).toBe(1);
  await button('Send').click();
  await shown(words(/^The voice message was not sent\. The server is busy/));
  isBusy = false;
  await button('Try again').click();
  await gone(strip('Recorded'));
  await expect.poll(() => speech.get()).toBe(0);
});

test('a recording that fails when the user has left the chat can be sent again from wherever they are', async () => {
  const first = Promise.withResolvers<ReturnType<typeof refused>>();
  let uploads = 0;
  const server = await openChat((stand) => {
    stand.on('chats/list', () => ok({ conversations: [] }));
    stand.onVoice(() => {
      uploads += 1;
      return uploads === 1 ? first.promise : ok(voice('v1', 2));
    });
  });
  await microphone().click();
  await recordedASecond();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => uploads).toBe(1);
  await link('Back').click();
  await arrivedAt('/chats');
  first.resolve(refused('server/unavailable'));
  await shown(modal('The voice message to Ivo was not sent.'));
  await expectAccessible();
  await button('Try again').click();
  await expect.poll(() => server.asked('chats/send')).toMatchObject([{ uid: ivoUid, voiceId: 'v1' }]);
  await gone(modal('The voice message to Ivo was not sent.'));
});

test('on a phone a finger that holds the microphone sends by letting go, and not what was shorter than a second', async () => {
  await page.viewport(390, 844);
  const server = await openChat((stand) => stand.onVoice(() => ok(voice('v1', 2))));
  // However long the machine takes for it.
  const noTime = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => noTime.mockRestore());
  const lift = await hold(microphone());
  await shown(strip());
  await lift();
  await shown(words('Hold to record'));
  noTime.mockRestore();
  expect(server.asked('chats/send')).toEqual([]);
  const liftAgain = await hold(microphone());
  await shown(words('Let go to send. Lock to record with your hands free.'));
  await recordedASecond();
  await liftAgain();
  await expect.poll(() => server.asked('chats/send').length).toBe(1);
});

test('a finger lifted over Lock goes on recording, and one over Cancel throws it away', async () => {
  await page.viewport(390, 844);
  const server = await openChat();
  const locking = await hold(microphone());
  await recordedASecond();
  await moveOver(button('Lock'));
  await locking();
  await gone(button('Lock'));
  await shown(strip());
  await button('Cancel').click();
  const cancelling = await hold(microphone());
  await recordedASecond();
  await moveOver(button('Cancel'));
  await cancelling();
  await gone(strip());
  expect(server.asked('chats/send')).toEqual([]);
});

test.each([
  ['NotAllowedError', /^Tunemate may not use the microphone\. Allow it in the browser/],
  ['NotReadableError', /^Another program uses the microphone\. Close it there, then try again\.$/],
  ['AbortError', /^Another program uses the microphone\./],
  ['NotFoundError', /^This device has no microphone\.$/],
])('a microphone that fails with %s is said with the way out', async (name, sentence) => {
  const { mediaDevices } = navigator;
  const own = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', name));
  try {
    await openChat();
    await microphone().click();
    await shown(words(sentence));
    await button('Cancel').click();
    await shown(field('Message'));
  } finally {
    mediaDevices.getUserMedia = own;
  }
});

test('a browser that measures no sound records it all the same', async () => {
  vi.stubGlobal('AudioContext', function refuse() {
    throw new DOMException('no more contexts', 'NotSupportedError');
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const server = await openChat((stand) => stand.onVoice(() => ok(voice('v1', 2))));
  await microphone().click();
  await recordedASecond();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => server.asked('chats/send').length).toBe(1);
});

test('a server without a decoder offers no microphone', async () => {
  await openPage(`/chat/${ivoUid}`, { prepare: (server) => server.on('chats/open', () => ok(aConversation('Ivo'))) });
  await shown(field('Message'));
  await gone(microphone());
});

test('one voice message plays at a time; its place and speed are set by keys', async () => {
  await openChat((server) =>
    server.on('chats/open', () =>
      ok(
        aConversation('Ivo', {
          messages: [
            aMessage(ivoUid, 1, { text: '', voice: voice('v1') }),
            aMessage(ivoUid, 2, { text: '', voice: voice('v2', 7) }),
          ],
        }),
      ),
    ),
  );
  await shown(button('Play voice message, 0:21'));
  expect(page.getByText(/Not played yet/).elements()).toHaveLength(2);
  await expectAccessible();
  await button('Play voice message, 0:21').click();
  await shown(button(/^Pause voice message, /));
  await expect.poll(() => speech.get()).toBe(1);
  await button('Play voice message, 0:07').click();
  await shown(button('Pause voice message, 0:07'));
  expect(button(/^Pause voice message/).elements()).toHaveLength(1);
  expect(page.getByText(/Not played yet/).elements()).toHaveLength(0);
  const place = page.getByRole('slider', { name: 'Position' }).first();
  (place.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(place).toHaveAttribute('aria-valuetext', '0:05 of 0:21');
  // A name with the place in it would be read again each second, over the voice.
  await shown(button('Play voice message, 0:21'));
  // The player left the one that played: nothing turns a room down any more.
  expect(speech.get()).toBe(0);
  await button('Speed 1x').first().click();
  await shown(button('Speed 1.5x').first());
});

test('a finger that draws the place in a voice message moves that alone, and answers nothing', async () => {
  await page.viewport(390, 844);
  await openChat((server) =>
    server.on('chats/open', () =>
      ok(aConversation('Ivo', { messages: [aMessage(ivoUid, 1, { text: '', voice: voice('v1') })] })),
    ),
  );
  const place = page.getByRole('slider', { name: 'Position' });
  await shown(place);
  const { left, width } = place.element().getBoundingClientRect();
  const { y } = middleOf(place.element());
  const at = (share: number) => ({ x: left + width * share, y });
  await drawFinger(at(0.1), [at(0.3), at(0.6), at(0.9)]);
  await expect.poll(() => place.element().getAttribute('aria-valuetext')).toMatch(/^0:(?:1\d|20) of 0:21$/);
  await gone(words('Reply to Ivo'));
});
