/* The gallery's cast. */

/** Invented people, one per disc. */
export const PEOPLE = [
  { id: 'mara', name: 'Mara Lindqvist' },
  { id: 'theo', name: 'Theo Brandt' },
  { id: 'ada', name: 'Ada Okafor' },
  { id: 'kenji', name: 'Kenji Watari' },
  { id: 'julia', name: 'Júlia Sant’Anna' },
  { id: 'rosalind', name: 'Rosalind Achterberg-Whitlock' },
  { id: 'ivo', name: 'Ivo Marsh' },
] as const;

/** Long enough to overflow every deck. */
export const LONG_TITLE = 'Slow Satellite (Live at the Harbour), the whole sunset in one take with strings';

/** `mm:ss`. */
export function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${String(Math.floor(whole / 60)).padStart(2, '0')}:${String(whole % 60).padStart(2, '0')}`;
}
