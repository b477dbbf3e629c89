/** The emoji that can be chosen: read from a file in the user's language when first asked for, found by words, in skin tones. */
import { folded } from '@tunemate/domain';
import { isEmoji } from '@tunemate/protocol';
import german from '../../../emoji/de.txt?url';
import english from '../../../emoji/en.txt?url';
import spanish from '../../../emoji/es.txt?url';
import hindi from '../../../emoji/hi.txt?url';
import { language } from '../../language/t.ts';

export interface Emoji {
  /** The number of its kind. */
  readonly kind: number;
  readonly emoji: string;
  readonly name: string;
  /** What it is found by, folded. */
  readonly words: readonly string[];
}

const addresses: Readonly<Record<string, string>> = { de: german, es: spanish, hi: hindi };

let list: Promise<readonly Emoji[]> | null = null;

/** Fetched once; again after a failure. */
export function emojiList(): Promise<readonly Emoji[]> {
  list ??= fetchList().catch((error: unknown) => {
    list = null;
    throw error;
  });
  return list;
}

async function fetchList(): Promise<readonly Emoji[]> {
  const answer = await fetch(addresses[language] ?? english);
  if (!answer.ok) throw new Error(`no list of emoji: ${String(answer.status)}`);
  return readEmoji(await answer.text());
}

/** One emoji a line, as `web/emoji/take.mjs` writes them; without those that this browser does not know. */
export function readEmoji(text: string): Emoji[] {
  return text.split('\n').flatMap((line) => {
    const [kind = '', emoji = '', name = '', more = ''] = line.split('\t');
    if (!isEmoji(emoji)) return [];
    return [{ kind: Number(kind), emoji, name, words: folded(`${name} ${more}`).split(' ') }];
  });
}

/** Those that have, for each word of the query, one that begins with it; whole names first. */
export function foundEmoji(all: readonly Emoji[], query: string, most: number): Emoji[] {
  const asked = folded(query).split(' ');
  const found = all.filter(({ words }) => asked.every((each) => words.some((word) => word.startsWith(each))));
  const rank = ({ words }: Emoji): number => (words[0] === asked[0] ? 0 : words.includes(asked[0] ?? '') ? 1 : 2);
  return found.toSorted((one, two) => rank(one) - rank(two)).slice(0, most);
}

/** Of skin, from light to dark; 0 for none. */
export type Tone = 0 | 1 | 2 | 3 | 4 | 5;
export const tones: readonly Tone[] = [0, 1, 2, 3, 4, 5];
const beforeFirstTone = 0x1f3fa;

/** The emoji in this tone, where Unicode has it in tones. */
export function inTone(emoji: string, tone: Tone): string {
  if (tone === 0) return emoji;
  const toned = emoji.replaceAll(/(\p{Emoji_Modifier_Base})\uFE0F?/gu, (_found, base: string) => {
    return base + String.fromCodePoint(beforeFirstTone + tone);
  });
  return isEmoji(toned) ? toned : emoji;
}
