/** The main story in Debian's Firefox: two people, one room of each kind, in sync. Not run where there is no Firefox. */
import { expect, test } from '@playwright/test';
import { roomKinds } from '@tunemate/protocol';
import { type Firefox, type FirefoxPage, startFirefox } from '@tunemate/testkit/browsers/firefox';
import { type LoopbackSound, startLoopbackSound } from '@tunemate/testkit/browsers/loopback-sound';
import { type ServerProcess, startServerProcess } from '@tunemate/testkit/services/process';
import {
  chatPlainly,
  comeTogetherPlainly,
  goOnHiddenPlainly,
  listenTogetherPlainly,
  type PlainPerson,
  plainPerson,
  signInPlainly,
  talkPlainly,
} from './plain-story.ts';
import { orNotRun } from './not-run.ts';
import { tracks } from './room-story.ts';

// One browser for both kinds: its start takes longer than anything that follows.
test.describe.configure({ mode: 'default' });

let server: ServerProcess;
/** Without a sound system Firefox goes through a track that has no picture in an instant. */
let sound: LoopbackSound | null = null;
let firefox: Firefox | null = null;
test.beforeAll(async () => {
  server = await startServerProcess();
  sound = await orNotRun(() => startLoopbackSound());
  const env = sound?.environment('left');
  firefox = env === undefined ? null : await orNotRun(() => startFirefox(env));
});
test.afterAll(async () => {
  await firefox?.close();
  await sound?.stop();
  await server.dispose();
});

/** Runs before the page's own scripts, as text. */
function noteComplaints(): void {
  const complaints: string[] = [];
  Object.assign(window, { complaints });
  // A size that is reported a frame later is no fault.
  const isLateSize = (message: string) => message.startsWith('ResizeObserver loop completed');
  addEventListener('error', ({ message }) => void (isLateSize(message) || complaints.push(message)));
  addEventListener('unhandledrejection', ({ reason }) => complaints.push(String(reason)));
  const { error } = console;
  console.error = (...words: unknown[]) => {
    complaints.push(words.map(String).join(' '));
    error(...words);
  };
}

for (const kind of roomKinds) {
  test(`in Firefox two people meet in a room of kind ${kind}, hear the same and talk`, async () => {
    if (firefox === null) return;
    const host = await person(firefox, `Mara ${kind}`);
    const guest = await person(firefox, `Ivo ${kind}`);
    await comeTogetherPlainly(host, guest, kind);
    await listenTogetherPlainly(host, guest, kind, tracks[kind]);
    await talkPlainly(host, guest);
    if (kind === 'audio') await goOnHiddenPlainly(host, guest, guest.hide);
    for (const { screen } of [host, guest]) {
      expect(await screen.page.evaluate('window.complaints')).toEqual([]);
      await screen.page.close();
    }
  });
}

test('in Firefox two people answer, edit, react to and delete private messages', async () => {
  if (firefox === null) return;
  const [mara, theo] = [await person(firefox, 'Mara Day'), await person(firefox, 'Theo Day')];
  await chatPlainly(mara, theo, server);
  for (const { screen } of [mara, theo]) {
    expect(await screen.page.evaluate('window.complaints')).toEqual([]);
    await screen.page.close();
  }
});

async function person(browser: Firefox, name: string): Promise<PlainPerson & Pick<FirefoxPage, 'hide'>> {
  const page = await browser.openPage();
  await page.addInitScript(noteComplaints.toString());
  const one = await plainPerson(page, name, server);
  await signInPlainly(one);
  return { ...one, hide: page.hide };
}
