/**
 * A whole evening of a host and a guest who use the keyboard alone and hear the pages by a screen reader: what live regions
 * say is expected in its order, and the focus is always somewhere.
 */
import { type Browser, expect } from '@playwright/test';
import type { ServerProcess } from '@tunemate/testkit/services/process';
import { type Hands, keyboardHands } from './keyboard-hands.ts';
import {
  askToJoin,
  haveAccount,
  isPlaying,
  makeAccount,
  password,
  type Person,
  positionOf,
  visitor,
} from './person.ts';
import { test } from './with-server.ts';

const room = 'Kitchen Radio';

interface Someone {
  readonly person: Person;
  readonly hands: Hands;
}

async function comes(browser: Browser, server: ServerProcess, name: string): Promise<Someone> {
  await makeAccount(name, server);
  const person = await visitor(browser, server.url, name);
  return { person, hands: await keyboardHands(person) };
}

const row = ({ page }: Hands, region: string, name: RegExp) =>
  page.getByRole('region', { name: region, exact: true }).getByRole('button', { name });

/** From the sign-in to a room of one's own, which plays; answers its code. */
async function openRoom({ person, hands }: Someone): Promise<string> {
  await hands.page.goto('/login');
  await hands.fill('Email', 'mara@example.test');
  await hands.fill('Password', password);
  await hands.keys('Enter');
  await hands.hears('Login successful!');
  await hands.link('Create Audio Room');
  await hands.fill('Room name', room);
  await hands.keys('Enter');
  await hands.button('Copy Code');
  await hands.hears('Room Code copied to clipboard!');
  const code = await hands.page.evaluate(() => navigator.clipboard.readText());
  await hands.link('Enter Room');
  await hands.fill('Search tracks', 'Sunday Kitchen');
  await hands.keys('Enter');
  await hands.hears('1 track');
  await hands.press(row(hands, 'Search Results', /^Sunday Kitchen/));
  await hands.hears(/^Now playing: Sunday Kitchen/);
  await expect.poll(() => isPlaying(person)).toBe(true);
  return code;
}

async function comeByLink({ person, hands }: Someone, host: Someone, code: string): Promise<void> {
  await hands.page.goto(`/join-audio-room?code=${code}`);
  await hands.button('I have an account');
  await hands.fill('Email', 'ivo@example.test');
  await hands.fill('Password', password);
  await hands.keys('Enter');
  await hands.hears('Login successful!');
  await hands.button('Join Session');
  await hands.hears(/^Waiting for Host Approval/);
  await host.hands.hears(/^New Join Request from Ivo/);
  await host.hands.button('Accept Ivo');
  await expect(hands.page.getByRole('heading', { name: room, level: 1 })).toBeVisible();
  await expect.poll(() => isPlaying(person)).toBe(true);
}

async function playAndPause(host: Someone, guest: Someone): Promise<void> {
  await host.hands.reach(host.hands.page.getByRole('slider', { name: 'Seek' }));
  await host.hands.keys('k');
  await expect.poll(() => isPlaying(guest.person)).toBe(false);
  await host.hands.keys('Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight');
  await expect.poll(() => positionOf(guest.person)).toBeGreaterThan(15);
  await host.hands.keys('k');
  await expect.poll(() => isPlaying(guest.person)).toBe(true);
  for (const { hands } of [host, guest]) await hands.hears(/^Now playing: Sunday Kitchen/);
  await guest.hands.keys('?');
  await expect(guest.hands.page.getByRole('alertdialog', { name: 'Keys' })).toBeVisible();
  await guest.hands.keys('Escape');
}

async function chooseMore({ hands: host }: Someone, { hands: guest }: Someone): Promise<void> {
  await host.fill('Search tracks', 'Walking Home');
  await host.keys('Enter');
  await host.hears('1 track');
  await host.button(/^Add Walking Home .* to the queue/);
  await host.hears('Play the queue?');
  await host.button('Cancel');
  await expect(row(host, 'Queue', /^\d.*Walking Home/)).toBeVisible();

  await guest.fill('Search tracks', 'Paper Lanterns');
  await guest.keys('Enter');
  await guest.hears('1 track');
  await guest.button(/^Propose Paper Lanterns/);
  await guest.hears('Proposed to the host');
  await guest.button('Cancel');
  await host.hears('1 Proposal');
  await host.button('1 Proposal');
  await host.button(/^Add Paper Lanterns/);
  await host.hears('Proposals, none');
  await host.keys('Escape');
  await expect(row(host, 'Queue', /^\d.*Paper Lanterns/)).toBeVisible();

  await guest.button('Vote to skip');
  await host.hears('1 of 1 Skip votes');
  await host.keys('n');
  for (const hands of [host, guest]) await hands.hears(/^Now playing: Walking Home/);
}

/** Noor, with a mouse, comes for one proposal, which the guest votes for. */
async function vote(noor: Person, { hands: host }: Someone, { hands: guest }: Someone, code: string): Promise<void> {
  await askToJoin(noor, 'audio', code);
  await host.hears(/^New Join Request from Noor/);
  await host.button('Accept Noor');
  await expect(noor.page.getByRole('heading', { name: room, level: 1 })).toBeVisible();
  await noor.page.getByLabel('Search tracks').fill('Rain on the Tram');
  await noor.page.keyboard.press('Enter');
  const found = noor.page.getByRole('list', { name: 'Search Results' });
  await found.getByRole('button', { name: /^Propose Rain on the Tram/ }).click();
  await guest.button(/^1 vote for Rain on the Tram/);
  const voted = guest.page.getByRole('button', { name: /^2 votes for Rain on the Tram/ });
  await expect(voted).toBeFocused();
  await expect(voted).toHaveAttribute('aria-pressed', 'true');
  const tally = host.page.getByText('2 votes').first();
  const proposals = host.page.getByRole('button', { name: '1 Proposal' });
  if ((await proposals.getAttribute('aria-expanded')) !== 'true') await host.press(proposals);
  await expect(tally).toBeAttached();
  await guest.press(voted);
  await expect(guest.page.getByRole('button', { name: /^1 vote for Rain on the Tram/ })).toBeFocused();
  await noor.page.getByRole('button', { name: 'Leave' }).click();
  await noor.page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
}

/** The host looks through the library, the guest sets this device, and the focus returns to where each began. */
async function lookAround({ hands: host }: Someone, { hands: guest }: Someone): Promise<void> {
  await host.button(/^Library$/);
  await host.button('Newest');
  await host.reach(row(host, 'Library', /Rain on the Tram/).first());
  await host.press(row(host, 'Library', /^Close$/));
  await host.button('Room settings');
  await host.reach(host.page.getByRole('switch', { name: 'Everyone can add' }));
  await host.keys('Space');
  await host.keys('Escape');
  await expect(host.page.getByRole('button', { name: 'Room settings' })).toBeFocused();
  await expect(guest.page.getByPlaceholder('Add a track')).toBeVisible();
  await guest.button('Sound and sync');
  await guest.button('10 ms earlier');
  await guest.button('Back to 0');
  await guest.keys('Escape');
  await expect(guest.page.getByRole('button', { name: 'Sound and sync' })).toBeFocused();
}

async function talk({ hands: host }: Someone, { hands: guest }: Someone): Promise<void> {
  await guest.button('Click here to Start Chat');
  await guest.fill('Message', 'Which take is this?');
  await guest.keys('Enter');
  await host.hears(/^Ivo Which take is this\?/);
  await host.button('Click here to Start Chat');
  await host.reach(host.page.getByRole('log', { name: 'Chat' }).getByRole('article'));
  await host.keys('r');
  await host.type('The slow one');
  await host.keys('Enter');
  await guest.hears(/^Mara .*Answers You Which take is this\? The slow one/);
  await guest.reach(guest.page.getByRole('log', { name: 'Chat' }).getByRole('article').last());
  await guest.keys('r');
  await guest.type('Then the slow one');
  await guest.keys('Enter');
  await host.hears(/^Ivo .*The slow one Then the slow one/);
  for (const hands of [host, guest]) await hands.button('Click here to Return Room');
}

test('host and guest come together, listen, choose, talk and part by keys alone', async ({ browser, server }) => {
  const host = await comes(browser, server, 'Mara');
  const guest = await comes(browser, server, 'Ivo');
  let code = '';
  await test.step('the host signs in, opens a room and plays', async () => {
    code = await openRoom(host);
  });
  await test.step('the guest comes by the link', () => comeByLink(guest, host, code));
  await test.step('the host pauses, plays and seeks', () => playAndPause(host, guest));
  await test.step('queue, proposal and vote', () => chooseMore(host, guest));
  await test.step('a vote for the proposal of a third', async () => {
    const noor = await visitor(browser, server.url, 'Noor');
    await haveAccount(noor, server);
    await vote(noor, host, guest, code);
  });
  await test.step('library, settings and the device', () => lookAround(host, guest));
  await test.step('they talk, and both reply', () => talk(host, guest));
  await test.step('the sheet of a person gives the focus back', async () => {
    const person = row(host.hands, 'Participants', /Ivo/);
    await host.hands.press(person);
    await expect(host.hands.page.getByRole('dialog', { name: 'Ivo' })).toBeVisible();
    await host.hands.keys('Escape');
    await expect(person).toBeFocused();
  });
  await test.step('they part', async () => {
    for (const { hands, person } of [guest, host]) {
      await hands.button('Leave');
      await hands.press(hands.page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }));
      await expect(hands.page.getByRole('heading', { name: person.name, level: 1 })).toBeVisible();
    }
  });
  for (const { hands, person } of [host, guest]) {
    // A sentence that comes twice at once was said by two regions.
    const said = await hands.heard();
    expect(said.filter((one, index) => one === said[index + 1] && !['', 'Loading...'].includes(one))).toEqual([]);
    expect(person.complaints).toEqual([]);
  }
});
