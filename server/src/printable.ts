/**
 * Text on its way to a terminal. What came from outside may hold line breaks that forge lines and control characters
 * that command the terminal, so that everything but printable characters is written as an escape.
 */

/** Controls, formats (also those that turn the direction of text), surrogates, unassigned; every space but the plain one. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
/** Shows as it is meant, also between other words of a line. */
const plainWord = /^[^\s"\\]+$/u;

/** `\uXXXX` for each character that is not printable; inside a JSON text it stays the same text. */
export function escapeUnprintable(text: string): string {
  return text.replace(unprintable, (character) =>
    Array.from({ length: character.length }, (_, index) => unitEscape(character.charCodeAt(index))).join(''),
  );
}
const unitEscape = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;

/** A text as one word of a line: in quotes where it could be taken for more than one, or for something else. */
export function asWord(text: string): string {
  const escaped = escapeUnprintable(text);
  return escaped === text && plainWord.test(text) ? text : escapeUnprintable(JSON.stringify(text));
}

/** A sentence at the end of a line: in quotes only where it holds what does not print. */
const asSentence = (text: string): string => (escapeUnprintable(text) === text ? text : asWord(text));

/**
 * The lines of an error that a person reads: its message on one line, then the calls. What stands before and behind the
 * message in a stack was written by the engine; a stack of any other shape becomes one line.
 */
export function errorLines({ message, stack = '' }: { message: string; stack?: string }): string[] {
  const at = stack.indexOf(message);
  const head = stack.slice(0, Math.max(at, 0));
  const calls = stack
    .slice(at + message.length)
    .split('\n')
    .filter(Boolean);
  const isUsual = at >= 0 && !head.includes('\n') && calls.every((call) => call.startsWith('    at '));
  if (!isUsual) return [asSentence(stack || message)];
  return [escapeUnprintable(head) + asSentence(message), ...calls.map(escapeUnprintable)];
}
