/**
 * The words that a text is found by and those that a query asks for, as people type them: of tracks, messages, people, rooms
 * and emoji alike. A word is what stands between blanks, and what else is typed for it.
 */
import { folded, notOfWords, plain } from './plain-letters.ts';

/** Signs that names are written with in place of letters. */
const letterOfSign: Readonly<Record<string, string>> = { '!': 'i', $: 's', '@': 'a', '€': 'e', '¥': 'y', '£': 'l' };
/** Letters of other alphabets that names show in place of those they look like: `KoЯn`, `SΛMURΛI`. */
const letterOfLook: Readonly<Record<string, string>> = {
  ...{ α: 'a', λ: 'a', β: 'b', ε: 'e', σ: 'e', ξ: 'e', ι: 'i', κ: 'k', ν: 'v', ο: 'o', θ: 'o', ρ: 'p', τ: 't', χ: 'x' },
  ...{ а: 'a', д: 'a', е: 'e', и: 'n', о: 'o', р: 'p', с: 'c', т: 't', у: 'y', х: 'x', я: 'r', μ: 'u', υ: 'u', ω: 'w' },
};
/** Words that titles shorten, and what is typed for them. */
const otherForm: ReadonlyMap<string, string> = new Map(
  Object.entries({ part: 'pt', pt: 'part', vol: 'volume', nr: 'no', ft: 'feat', feat: 'ft', saint: 'st', st: 'saint' }),
);
/** How Germans and Scandinavians write their letters where a keyboard lacks them. */
const twoLetters: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa', đ: 'dj' };
const inTwoLetters = /[äöüøåđ]/u;

/** `Müller` as `Mueller`. */
const spelledOut = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(new RegExp(inTwoLetters, 'gu'), (letter) => twoLetters[letter] ?? '');

/** `II` and `2` are the same to people; a lone `I`, `V` or `X` is a word or an initial. */
const romans: ReadonlyMap<string, string> = new Map(
  Object.entries({ ii: '2', iii: '3', iv: '4', vi: '6', vii: '7', viii: '8', ix: '9' }),
);

/** Arabic and Hebrew write `and`, `to`, `in`, `like` and `the` as the beginning of the next word, in this order. */
const [arabicAnd, arabicTo, arabicToThe, arabicThe] = [
  /^[وف](?=...)/u,
  /^[بكل](?=...)/u,
  /^لل(?=..)/u,
  /^[اٱ]ل(?=..)/u,
];
const hebrewBeginnings = [/^ו(?=...)/u, /^(?:כש|מש|ש)(?=...)/u, /^[בכלמ](?=...)/u, /^ה(?=...)/u];
/** The name of God has no article. */
const isGod = /^[اٱ]لله/u;
const vowelSigns = /[\u064b-\u065f\u0670\u0640\u0591-\u05c7]/gu;
const attaching = /[\p{sc=Arabic}\p{sc=Hebrew}]/u;
/** What follows a word that lost its vowel, as in `l'amour` and `dell'amore`. */
const elided = /(?<=[\p{L}\p{M}])['’‘ʼ]([\p{L}\p{M}]{3,})/gu;

/** `وبالكتاب` as what is left without each of its beginnings: `بالكتاب`, `الكتاب`, and the word behind the article. */
function behindBeginnings(word: string): { words: string[]; behindArticle: string | null } {
  const words: string[] = [];
  let [rest, behindArticle] = [word, null as string | null];
  const next = (left: string): void => void words.push((rest = left));
  if (/\p{sc=Hebrew}/u.test(word)) {
    for (const beginning of hebrewBeginnings) if (beginning.test(rest)) next(rest.replace(beginning, ''));
    return { words, behindArticle };
  }
  if (arabicAnd.test(rest)) next(rest.replace(arabicAnd, ''));
  if (arabicToThe.test(rest)) next(rest.replace(arabicToThe, 'ال'));
  else if (arabicTo.test(rest)) next(rest.replace(arabicTo, ''));
  if (arabicThe.test(rest) && !isGod.test(rest)) next((behindArticle = rest.replace(arabicThe, '')));
  return { words, behindArticle };
}

/** The words of a text in which words have such beginnings. Letters stay as they are: an article has a plain alif. */
const attachedIn = (text: string): string[] =>
  attaching.test(text) ? text.normalize('NFC').replaceAll(vowelSigns, '').split(notOfWords).filter(Boolean) : [];

const otherAlphabets = /[\p{sc=Greek}\p{sc=Cyrillic}]/gu;
const numbered = /(?<!\S)(\p{L}{1,20})(?= (\d{1,4})(?!\S))/gu;
const initials = /(?<!\S)\p{L}(?: \p{L})+(?!\S)/gu;

/** Nothing but its case can be written otherwise, and what is known of the whole word. */
const plainWord = /^[A-Za-z0-9]+$/u;

/** What else people type for what stands between two blanks; some of them are its words again, or nothing. */
function otherSpellings(chunk: string): string[] {
  const small = plain(chunk);
  if (plainWord.test(chunk)) return [romans.get(small) ?? '', otherForm.get(small) ?? ''];
  const looks = /\p{sc=Latin}/u.test(small)
    ? small.replaceAll(otherAlphabets, (letter) => letterOfLook[letter] ?? letter)
    : small;
  const signed = looks.replaceAll(/[!$@€¥£](?=\p{L})/gu, (sign) => letterOfSign[sign] ?? '');
  const words = folded(chunk);
  return [
    ...[small, signed].map((each) => each.replaceAll(notOfWords, '')),
    folded(spelledOut(chunk)),
    // 'Ødegård' as 'Odegaard'.
    /[åÅ]/u.test(chunk) ? folded(chunk.normalize('NFC').replaceAll(/[åÅ]/gu, 'aa')) : '',
    romans.get(small) ?? '',
    otherForm.get(words) ?? '',
    /^#\d/u.test(chunk) ? 'no' : '',
    chunk === '@' ? 'at' : '',
    // 'R&B' as 'R and B' and 'rnb'.
    ...['and', 'n'].map((and) => (/[\p{L}\p{N}]&[\p{L}\p{N}]/u.test(chunk) ? folded(chunk.replaceAll('&', and)) : '')),
    /^(?:[&+]|['’]n['’]?|n['’])$/iu.test(chunk) ? 'and' : '',
    // A name of signs alone, such as `!!!`.
    small !== '' && words === '' ? small : '',
    ...attachedIn(chunk).flatMap((word) => behindBeginnings(word).words.map(folded)),
    ...[...chunk.matchAll(elided)].map(([, word = '']) => folded(word)),
  ];
}

/**
 * What a text is found by: its words, and then what else people type for them. `AC/DC` is `acdc` too, `R.E.M.` `rem`,
 * `P!nk` `pink`, `Simon & Garfunkel` has an `and`, `Björk` is `bjoerk`, and `l'amour` has an `amour`.
 */
export function searchedWords(text: string): { words: string; others: string[] } {
  const words = folded(text);
  const known = new Set(words.split(' '));
  const others = text.split(/\s+/u).flatMap(otherSpellings);
  // Initials that stand apart, as in 'D & B'.
  others.push(...(words.match(initials) ?? []).map((each) => each.replaceAll(' ', '')));
  // 'No. 5' as 'no5'.
  others.push(...[...words.matchAll(numbered)].map(([, word = '', count = '']) => word + count));
  return { words, others: [...new Set(others.filter((word) => word !== '' && !known.has(word)))] };
}

/** The same in one text. */
export function searchedText(text: string): string {
  const { words, others } = searchedWords(text);
  return [words, ...others].join(' ');
}

/** More different words than a user types. Each is compared with every text, so a request must not choose the number. */
const mostWords = 12;
/** Other spellings of one word, likewise. */
const mostSpellings = 3;

/** A typed word, and what it may be spelled as instead. */
export type SearchedWord = readonly [string, ...string[]];

/** The words of a query: each once, and not more than are looked for. */
export const wordsOf = (query: string): SearchedWord[] => chunksOf(query, mostWords).flatMap(({ words }) => words);

/** What stands between two blanks of a query. */
interface SearchedChunk {
  readonly words: readonly SearchedWord[];
  /** Its words in one, as `AC/DC` may be written too; null of one word, or with an emoji. */
  readonly inOne: string | null;
}

export function chunksOf(query: string, most: number): SearchedChunk[] {
  const spelled = spellingsIn(query);
  const known = new Set<string>();
  const chunks = query.split(/\s+/u).map((chunk) => {
    const parts = folded(chunk).split(' ').filter(Boolean);
    const inOne = plain(chunk).replaceAll(notOfWords, '');
    // Initials, with stops or without.
    const all = parts.every((part) => part.length === 1) ? [parts.join('')] : parts;
    return { chunk, all, inOne: all.length > 1 && all.join('') === inOne ? inOne : null };
  });
  const isOfSigns = chunks.every(({ all }) => !all.some(Boolean));
  return chunks.flatMap(({ chunk, all, inOne }) => {
    const words = (isOfSigns ? [plain(chunk)] : all).filter((word) => {
      if (word === '' || known.has(word) || known.size === most) return false;
      return known.add(word);
    });
    const isWhole = words.length === all.length;
    return words.length === 0
      ? []
      : [
          {
            words: words.map((word): SearchedWord => [word, ...[...(spelled.get(word) ?? [])].slice(0, mostSpellings)]),
            inOne: isWhole ? inOne : null,
          },
        ];
  });
}

/** One word in two spellings that its language has: sounds and letters of names in Japanese, glides, and seats of hamza. */
const twins =
  'ヴァ バ|ヴィ ビ|ヴェ ベ|ヴォ ボ|ヴ ブ|髙 高|﨑 崎|𠮷 吉|邊 辺|邉 辺|濱 浜|澤 沢|齋 斎|嶋 島|廣 広|यी ई|ये ए|ئو ؤو'
    .split('|')
    .map((pair) => pair.split(' ') as [string, string]);
const twinned = /[\p{sc=Katakana}\p{sc=Han}\p{sc=Devanagari}\p{sc=Arabic}]/u;
/** Words that came to Japan may end with it or not. */
const long = /(?<=[ァ-ヶー]{3})ー$/u;

function twinsOf(chunk: string): string[] {
  if (!twinned.test(chunk)) return [];
  const text = chunk.normalize('NFKC');
  const newer = twins.reduce((all, [one, other]) => all.replaceAll(one, other), text);
  const older = twins.reduce((all, [one, other]) => all.replaceAll(other, one), text);
  return [newer, older, newer.replace(long, '')];
}

/** By a word of the query, what it may be spelled as instead. */
function spellingsIn(query: string): Map<string, Set<string>> {
  const spelled = new Map<string, Set<string>>();
  const add = (word: string, other: string): void => {
    const others = spelled.get(word) ?? new Set();
    if (other !== word && other !== '') spelled.set(word, others.add(other));
  };
  for (const chunk of query.split(/\s+/u)) {
    if (inTwoLetters.test(chunk.normalize('NFC').toLowerCase())) add(folded(chunk), folded(spelledOut(chunk)));
    for (const other of twinsOf(chunk)) add(folded(chunk), folded(other));
    // What is looked for with its article is found without one.
    for (const word of attachedIn(chunk)) add(folded(word), folded(behindBeginnings(word).behindArticle ?? ''));
  }
  return spelled;
}

/** Whether a name is found by what was typed of it: each word is a part of one of its words. All are by nothing. */
export function foundBy(typed: string): (name: string) => boolean {
  const words = wordsOf(typed);
  const has = (text: string): boolean => words.every((spellings) => spellings.some((word) => text.includes(word)));
  return (name) => {
    const plainName = folded(name);
    return has(plainName) || has(`${searchedText(name)} ${plainName.replaceAll(' ', '')}`);
  };
}
