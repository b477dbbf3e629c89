/** The shift key: on for one letter, then locked, then off again. Pure. */

export type Shift = 'off' | 'once' | 'locked';

/** After the shift key was pressed. */
export function afterShift(shift: Shift): Shift {
  if (shift === 'off') return 'once';
  return shift === 'once' ? 'locked' : 'off';
}

/** After a letter was typed. */
export function afterLetter(shift: Shift): Shift {
  return shift === 'once' ? 'off' : shift;
}

/** The character that a key types. */
export function shifted(text: string, shift: Shift): string {
  return shift === 'off' ? text : text.toLocaleUpperCase();
}
