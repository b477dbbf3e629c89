/**
 * Types into a text field as keys do: at the caret, or over the selection. The field fires its input event.
 */

/** The part of a text field that is used. */
export type WritableField = Pick<
  HTMLInputElement,
  'value' | 'selectionStart' | 'selectionEnd' | 'setRangeText' | 'dispatchEvent'
>;

/** Puts `text` at the caret, in place of what is selected. */
export function insertText(field: WritableField, text: string): void {
  const { start, end } = selectionOf(field);
  replace(field, text, start, end);
}

/** Removes what is selected, else the one character before the caret, however many code units it has. */
export function eraseBackwards(field: WritableField): void {
  const { start, end } = selectionOf(field);
  if (start !== end) return replace(field, '', start, end);
  if (start === 0) return;
  const before = Array.from(new Intl.Segmenter().segment(field.value.slice(0, start))).at(-1);
  replace(field, '', before?.index ?? start - 1, start);
}

function selectionOf({ selectionStart, selectionEnd, value }: WritableField): { start: number; end: number } {
  return { start: selectionStart ?? value.length, end: selectionEnd ?? value.length };
}

function replace(field: WritableField, text: string, start: number, end: number): void {
  field.setRangeText(text, start, end, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
