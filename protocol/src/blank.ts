/**
 * What counts as blank: text of which nothing would be seen. Apart from the schemas, so that a page can ask it
 * without carrying the schema library.
 */

// What looks empty though it has characters: zero-width spaces and joiners, soft hyphen, blank fillers.
const invisible = /[\s\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2060-\u2064\u3164\ufeff\uffa0]/gu;

/** True when nothing of it would be seen. */
export function isBlank(text: string): boolean {
  return text.replace(invisible, '') === '';
}
