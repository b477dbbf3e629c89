/** Witness of a page that its music went on: the player's own events, and its position against the clock. */
import { expect } from '@playwright/test';
import { type Person, player } from './person.ts';

/** Notes on the page whatever stops or restarts its player from now on, and where the music was when. */
export async function record(person: Person): Promise<void> {
  await player(person).evaluate((element: HTMLMediaElement) => {
    const heard: string[] = [];
    for (const name of ['pause', 'emptied', 'loadstart', 'abort'])
      element.addEventListener(name, () => heard.push(name));
    Object.assign(window, { heard, startedAt: [performance.now(), element.currentTime], recorded: element });
  });
}

/** What was heard besides the music, and by how many milliseconds the music fell behind the clock since `record`. */
async function recorded(person: Person) {
  return await player(person).evaluate((element: HTMLMediaElement) => {
    const kept = window as unknown as { heard: string[]; startedAt: [number, number]; recorded: HTMLMediaElement };
    const [thenMs, thenSeconds] = kept.startedAt;
    const lagMs = performance.now() - thenMs - (element.currentTime - thenSeconds) * 1000;
    return { heard: kept.heard, isSame: kept.recorded === element, lagMs };
  });
}

/**
 * Since `record` the same player went on without a break, and is where the clock says; a busy machine may put it behind
 * for as long as a correction takes.
 */
export async function expectUnbroken(person: Person): Promise<void> {
  const { heard, isSame, lagMs } = await recorded(person);
  console.log(`${person.name}: ${lagMs.toFixed(0)} ms behind the clock, interrupted by ${String(heard.length)}`);
  expect(heard).toEqual([]);
  expect(isSame).toBe(true);
  await expect.poll(async () => Math.abs((await recorded(person)).lagMs)).toBeLessThan(250);
}
