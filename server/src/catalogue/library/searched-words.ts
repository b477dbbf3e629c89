/**
 * The words that a list is searched by, each once and with a number: a query is compared with them, and not with the texts
 * of all tracks. Pure.
 */

/** How well a word of a list has one of the query: 3 when it is that word, 2 when it begins with it, 1 for a part of it. */
export type Fit = 0 | 1 | 2 | 3;

export interface SearchedWords {
  readonly size: number;
  /** Undefined for a word that is none of them. */
  numberOf(word: string): number | undefined;
  wordAt(number: number): string;
  /** Calls `add` for each word that has this part, with how well it does. */
  eachWith(part: string, add: (number: number, fit: Fit) => void): void;
}

/** Words are only added: lists that follow each other have most of them in common. */
export interface GrowingWords {
  /** The numbers of the words of a text, in its order; new words get the next ones. */
  numbersOf(text: string): number[];
  /** As they are now. */
  soFar(): SearchedWords;
}

/** No word has one. */
const between = '\n';

export function growingWords(): GrowingWords {
  const numbers = new Map<string, number>();
  let latest = wordsAsNow(numbers);

  function numberOf(word: string): number {
    const known = numbers.get(word);
    if (known !== undefined) return known;
    numbers.set(ownCopy(word), numbers.size);
    return numbers.size - 1;
  }

  return {
    numbersOf: (text) => text.split(' ').filter(Boolean).map(numberOf),
    soFar: () => (latest = latest.size === numbers.size ? latest : wordsAsNow(numbers)),
  };
}

function wordsAsNow(numbers: ReadonlyMap<string, number>): SearchedWords {
  const { size } = numbers;
  /** All words in one text, which is looked through in the time of a few hundred of them. */
  const text = [...numbers.keys(), ''].join(between);
  /** Where each begins in it; at last its end. */
  const begins = new Uint32Array(size + 1);
  for (const [word, number] of numbers) begins[number + 1] = (begins[number] ?? 0) + word.length + between.length;
  const beginOf = (number: number): number => begins[number] ?? text.length;

  return {
    size,
    numberOf(word) {
      const number = numbers.get(word);
      return number === undefined || number >= size ? undefined : number;
    },
    wordAt: (number) => text.slice(beginOf(number), beginOf(number + 1) - between.length),
    eachWith(part, add) {
      let number = 0;
      for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, beginOf(number + 1))) {
        while (beginOf(number + 1) <= at) number += 1;
        const isWhole = beginOf(number) + part.length + between.length === beginOf(number + 1);
        // A word that has it a second time fits no better.
        add(number, at > beginOf(number) ? 1 : isWhole ? 3 : 2);
      }
    },
  };
}

/** V8 keeps the whole of a long text for each part of it. */
export const ownCopy = (part: string): string => JSON.parse(JSON.stringify(part)) as string;
