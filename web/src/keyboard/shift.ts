/** The shift key: for one letter, then locked, then off again. Pure. */

export type Shift = 'off' | 'once' | 'locked';

/** After the shift key was pressed. */
export function afterShift(shift: Shift): Shift {
  if (shift === 'off') return 'once';
  return shift === 'once' ? 'locked' : 'off';
}

/** After a letter was written. */
export function afterLetter(shift: Shift): Shift {
  return shift === 'once' ? 'off' : shift;
}

/** What a key writes. */
export function shifted(text: string, shift: Shift): string {
  return shift === 'off' ? text : text.toLocaleUpperCase();
}
