/**
 * The main story, for either kind and any way of running the server: two people come together, hear the same, talk,
 * lose nothing over a reload, and part.
 */
import { expect } from '@playwright/test';
import type { RoomKind } from '@tunemate/protocol';
import { percentile } from '@tunemate/testkit/percentile';
import { sees } from './notices.ts';
import {
  askToJoin,
  createRoom,
  isPlaying,
  listen,
  kindWords,
  type Person,
  playFromLibrary,
  player,
  positionOf,
  spreadMs,
  write,
} from './person.ts';

export const tracks: Record<RoomKind, string> = { video: 'Poppy Season', audio: 'Sunday Kitchen' };

async function bothSay(host: Person, guest: Person): Promise<void> {
  for (const [speaker, listener] of [
    [host, guest],
    [guest, host],
  ] as const) {
    const words = `Hello from ${speaker.name}`;
    await speaker.page.getByRole('button', { name: 'Click here to Start Chat' }).click();
    await write(speaker.page, words);
    await expect(listener.page.getByText(words).first()).toBeVisible();
    await speaker.page.getByRole('button', { name: 'Click here to Return Room' }).click();
    await expect(speaker.page.getByText(words).first()).toBeVisible();
  }
}

/** Waits until the guest's player is where the host's is. */
export async function expectTogether(host: Person, guest: Person): Promise<void> {
  await expect.poll(() => isPlaying(guest)).toBe(true);
  await expect.poll(async () => Math.abs(await spreadMs(host, guest))).toBeLessThan(250);
}

/** Creates, joins, accepts: both are in the room. Answers the code. */
export async function comeTogether(host: Person, guest: Person, kind: RoomKind, name: string): Promise<string> {
  const code = await createRoom(host, kind, name);
  await askToJoin(guest, kind, code);
  await sees(host.page, /^New Join Request from/);
  await host.page.getByRole('button', { name: 'Accept' }).first().click();
  await expect(guest.page.getByRole('heading', { name, level: 1 })).toBeVisible();
  await expect(guest.page.getByText(host.name).first()).toBeVisible();
  return code;
}

/** Play, pause, seek and talk. Answers drift samples (ms) of a stretch of steady play. */
export async function listenTogether(
  host: Person,
  guest: Person,
  kind: RoomKind,
  steadySeconds: number,
): Promise<number[]> {
  await playFromLibrary(host, kind, tracks[kind]);
  await expectTogether(host, guest);
  await expect(guest.page.getByRole('button', { name: 'Pause' })).toHaveCount(0);

  await host.page.getByRole('button', { name: 'Pause' }).click();
  await expect.poll(() => isPlaying(guest)).toBe(false);
  // Paused and from the beginning: however slow the machine, no end of the track comes between.
  const seek = host.page.getByRole('slider', { name: 'Seek' });
  await seek.press('Home');
  await expect.poll(() => positionOf(guest)).toBeLessThan(1);
  for (let presses = 0; presses < 4; presses += 1) await seek.press('ArrowRight');
  await expect.poll(() => positionOf(guest)).toBeGreaterThan(15);
  await host.page.getByRole('button', { name: 'Play', exact: true }).click();
  await expectTogether(host, guest);

  await seek.press('Home');
  await expect.poll(() => positionOf(guest)).toBeLessThan(15);
  await expectTogether(host, guest);
  await bothSay(host, guest);

  const samples: number[] = [];
  const untilMs = Date.now() + steadySeconds * 1000;
  while (Date.now() < untilMs) {
    samples.push(Math.abs(await spreadMs(host, guest)));
    await host.page.waitForTimeout(100);
  }
  return samples;
}

/** Takes both to the beginning of the track, which may have ended: a busy machine is slower than its hundred seconds. */
async function beginAgain(host: Person, guest: Person): Promise<void> {
  const play = host.page.getByRole('button', { name: 'Play', exact: true });
  if (await play.isVisible()) await play.click();
  else {
    await host.page.getByRole('slider', { name: 'Seek' }).focus();
    await host.page.keyboard.press('Home');
  }
  await expectTogether(host, guest);
}

/** A reload of either keeps the membership and lands on the live position. */
export async function reloadBoth(host: Person, guest: Person): Promise<void> {
  for (const person of [guest, host]) {
    await beginAgain(host, guest);
    await person.page.reload();
    await listen(person);
    await expectTogether(host, guest);
  }
}

/** The guest leaves and would need approval again; the host leaves and the room is over. */
export async function part(host: Person, guest: Person, kind: RoomKind, code: string): Promise<void> {
  await guest.page.getByRole('button', { name: 'Leave' }).click();
  await guest.page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  await expect(guest.page).toHaveURL('/');
  await guest.page.goto(`${kindWords[kind].path}${code}`);
  await expect(guest.page.getByText('Access Denied! You must wait for host approval')).toBeVisible();
  await guest.page.getByRole('button', { name: 'OK' }).click();
  await askToJoin(guest, kind, code);
  await host.page.getByRole('button', { name: 'Accept' }).first().click();
  await expect(player(guest)).toBeAttached();
  await host.page.getByRole('button', { name: 'Leave' }).click();
  await host.page
    .getByRole('alertdialog')
    .getByRole('button', { name: /Leave|End/ })
    .click();
  await expect(guest.page.getByText(kindWords[kind].ended, { exact: true })).toBeVisible();
  await guest.page.getByRole('button', { name: 'OK' }).click();
  await expect(guest.page).toHaveURL('/');
  await expect(host.page).toHaveURL('/');
}

/** The host ends the room, and both are at home. */
export async function endRoom(host: Person, guest: Person): Promise<void> {
  await host.page.getByRole('button', { name: 'Leave', exact: true }).click();
  await host.page.getByRole('alertdialog').getByRole('button', { name: 'End for everyone' }).click();
  await guest.page.getByRole('button', { name: 'OK' }).click();
  for (const { page } of [host, guest]) await expect(page).toHaveURL('/');
}

/** One line of the table that the journeys print. */
export function driftLine(title: string, samples: readonly number[]): string {
  const ms = (share: number) => `${percentile(samples, share).toFixed(1)} ms`.padStart(10);
  return `${title.padEnd(42)} p50 ${ms(0.5)}   p95 ${ms(0.95)}   samples ${String(samples.length)}`;
}
