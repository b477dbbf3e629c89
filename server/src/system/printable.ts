/**
 * Escapes text for a terminal. Input from outside may contain line breaks that forge log lines and control characters
 * that command the terminal, so everything but printable characters is written as an escape.
 */

/**
 * Controls, formats (also those that turn the direction of text), surrogates, unassigned; every space but the plain
 * one.
 */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
/** Text that is unambiguous between the other words of a line. */
const plainWord = /^[^\s"\\]+$/u;

/** `\uXXXX` for each character that is not printable; inside a JSON text it stays the same text. */
export function escapeUnprintable(text: string): string {
  return text.replace(unprintable, (character) =>
    Array.from({ length: character.length }, (_, index) => unitEscape(character.charCodeAt(index))).join(''),
  );
}
const unitEscape = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;

/** A text as one value of a line: quoted where it could be read as several values, or as something else. */
export function asWord(text: string): string {
  const escaped = escapeUnprintable(text);
  return escaped === text && plainWord.test(text) ? text : escapeUnprintable(JSON.stringify(text));
}

/** A sentence at the end of a line: in quotes only where it holds what does not print. */
const asSentence = (text: string): string => (escapeUnprintable(text) === text ? text : asWord(text));

/** What was thrown, as an error has it: libraries may throw anything. */
export const asError = (thrown: unknown): { message: string; stack?: string } =>
  thrown instanceof Error ? thrown : { message: String(thrown) };

/**
 * The lines of an error for a terminal: its message on one line, then the calls. Only the part of the stack that the
 * engine wrote keeps its line breaks; a stack of any other shape becomes one line.
 */
export function errorLines({ message, stack = '' }: { message: string; stack?: string | undefined }): string[] {
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
