/**
 * What links for other people begin with. A page that was opened on the server's own machine, as `localhost`, names an
 * address of the machine in its network, which the server knows; any other page names the address it was opened at.
 */
import type { LinkChoice } from '@tunemate/protocol';
import { cell, type Readable } from './cell.ts';
import { deviceStorage } from './lenient-storage.ts';

const chosenHere = 'tunemate/link-origin';

const choices = cell<readonly LinkChoice[]>([]);
const chosen = cell<string | null>(null);

/** The addresses that can be chosen, the best first; none on a page that needs no choice. */
export const linkChoices: Readable<readonly LinkChoice[]> = choices;
/** Null for the address that the page was opened at. */
export const chosenOrigin: Readable<string | null> = chosen;

export const linkOrigin = (): string => chosen.get() ?? location.origin;

export function takeLinkChoices(found: readonly LinkChoice[]): void {
  const kept = deviceStorage.getItem(chosenHere);
  choices.set(found);
  // The machine may have left the network of the address that was chosen.
  chosen.set((found.find(({ origin }) => origin === kept) ?? found[0])?.origin ?? null);
}

export function chooseLinkOrigin(origin: string): void {
  deviceStorage.setItem(chosenHere, origin);
  chosen.set(origin);
}
