/** The name of a room for two, by their first names. */
import { limits } from '@tunemate/protocol';
import { soulmateCopy } from './soulmate-words.ts';

const firstOf = (name: string): string => name.split(' ')[0] ?? name;

export function nameTogether(one: string, other: string): string {
  const name = soulmateCopy.togetherName(firstOf(one), firstOf(other));
  return Array.from(name).slice(0, limits.roomNameLength).join('');
}
