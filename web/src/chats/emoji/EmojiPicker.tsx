/**
 * All emoji, by kind or by the words of a search, in the skin tone that was chosen on this device. Arrows move between
 * them, Enter in the search takes the first one, and one that is pasted there is taken as it is.
 */
import { isEmoji } from '@tunemate/protocol';
import { useEffect, useRef, useState } from 'react';
import { deviceStorage } from '../../store/lenient-storage.ts';
import { useKeyDown } from '../../ui/use-key-down.ts';
import { menuPanel } from '../../messages/MenuSheet.tsx';
import styles from '../acts/MessageActions.module.css';
import { emojiWords } from './emoji-words.ts';
import { WaitingLine } from '../../ui/feedback/Waiting.tsx';
import { searchedText, wordsOf } from '@tunemate/domain';
import german from '../../../emoji/de.txt?url';
import english from '../../../emoji/en.txt?url';
import spanish from '../../../emoji/es.txt?url';
import hindi from '../../../emoji/hi.txt?url';
import { language, t } from '../../language/t.ts';

/** By the numbers of the list, each with the emoji that stands for it. */
const emojiKinds: readonly (readonly [kind: number, emoji: string, words: string])[] = [
  [0, '😀', t`Faces`],
  [1, '👋', t`People`],
  [3, '🐻', t`Animals and nature`],
  [4, '🍕', t`Food and drink`],
  [5, '✈️', t`Travel and places`],
  [6, '🎉', t`Activities`],
  [7, '🎧', t`Objects`],
  [8, '💯', t`Symbols`],
  [9, '🏁', t`Flags`],
];

/** By tone. */
const toneWords = [t`No tone`, t`Light`, t`Medium light`, t`Medium`, t`Medium dark`, t`Dark`] as const;

interface EmojiPickerProps {
  /** Those that are chosen already. */
  chosen?: readonly string[];
  onChoose: (emoji: string) => void;
}

const mostFound = 64;

export function EmojiPicker({ chosen = [], onChoose }: EmojiPickerProps) {
  const box = useRef<HTMLDivElement>(null);
  useKeyDown(box, (event) => box.current && moveInGrid(box.current, event));
  const list = useEmojiList();
  const [query, setQuery] = useState('');
  const [kind, setKind] = useState(0);
  const [tone, setTone] = useTone();
  const [recent] = useState(recentEmoji);
  const isSearch = query.trim() !== '';
  const all = typeof list === 'string' ? [] : list;
  const again = isSearch || kind !== 0 ? [] : recent.flatMap((own) => all.find(({ emoji }) => emoji === own) ?? []);
  const ofKind = all.filter((each) => each.kind === kind && !again.includes(each));
  const offered = isSearch ? foundEmoji(all, query, mostFound) : ofKind;
  const note = typeof list === 'string' ? emojiWords[list] : offered.length === 0 ? t`No results found` : null;
  const [first] = isSearch ? offered : [];
  const choose = ({ emoji }: Emoji): void => {
    keepRecent(emoji);
    onChoose(inTone(emoji, tone));
  };

  return (
    <div className={menuPanel} {...groupOf(emojiWords.choose)} ref={box}>
      <input
        className={styles.field}
        type="search"
        dir="auto"
        aria-label={emojiWords.search}
        placeholder={emojiWords.search}
        autoComplete="off"
        enterKeyHint="done"
        data-first-focus
        value={query}
        onChange={({ target }) => {
          setQuery(target.value);
          const text = target.value.trim();
          if (isEmoji(text)) onChoose(text);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !first || event.nativeEvent.isComposing) return;
          // The message field gets the focus before the key has had its effect.
          event.preventDefault();
          choose(first);
        }}
      />
      {!isSearch && (
        <div className={styles.emojis} {...groupOf(t`Kinds of emoji`)}>
          {emojiKinds.map(([each, emoji, words]) => (
            <Choice key={each} {...{ emoji, words }} isOn={each === kind} onPress={() => setKind(each)} />
          ))}
        </div>
      )}
      {note === null ? (
        <Grid {...{ again, offered, tone, chosen }} onChoose={choose} />
      ) : (
        <output>{list === 'loading' ? <WaitingLine loading={note} /> : note}</output>
      )}
      <div className={styles.emojis} {...groupOf(t`Skin tone`)}>
        {tones.map((each) => (
          <Choice
            key={each}
            emoji={inTone('✋', each)}
            words={toneWords[each]}
            isOn={each === tone}
            onPress={() => setTone(each)}
          />
        ))}
      </div>
    </div>
  );
}

interface GridProps extends Omit<EmojiKeyProps, 'each'> {
  /** What was chosen last, before the others. */
  again: readonly Emoji[];
  offered: readonly Emoji[];
}

/** The keys, and the name of the one under the pointer or the focus. */
function Grid({ again, offered, ...ofKey }: GridProps) {
  const [named, setNamed] = useState('');
  const nameOf = ({ target }: { target: EventTarget }): void =>
    setNamed((target instanceof Element && target.closest('button')?.title) || '');
  return (
    <>
      <div
        className={styles.grid}
        {...groupOf(emojiWords.choose)}
        data-emoji-grid
        onPointerOver={nameOf}
        onFocus={nameOf}
      >
        {again.length > 0 && <Heading>{t`Recent`}</Heading>}
        {again.map((each) => (
          <EmojiKey key={each.emoji} each={each} {...ofKey} />
        ))}
        {again.length > 0 && <Heading>{emojiKinds[0]?.[2] ?? ''}</Heading>}
        {offered.map((each) => (
          <EmojiKey key={each.emoji} each={each} {...ofKey} />
        ))}
      </div>
      {/* Each key has it as its own name. */}
      <p style={nameStyle} lang={namesIn} dir="auto" aria-hidden="true">
        {named}
      </p>
    </>
  );
}

const Heading = ({ children }: { children: string }) => (
  <p className="meta" style={{ gridColumn: '1 / -1', padding: '4px 10px', fontWeight: 'var(--w-bold)' }}>
    {children}
  </p>
);

const nameStyle = {
  minHeight: '40px',
  padding: '9px 10px',
  borderTop: '1px solid var(--line)',
  fontWeight: 'var(--w-mid)',
} as const;

const groupOf = (label: string) => ({ role: 'group', 'aria-label': label }) as const;

interface ChoiceProps {
  emoji: string;
  words: string;
  /** Of the words, where it is not the page's. */
  lang?: string | undefined;
  isOn: boolean;
  onPress: () => void;
}

function Choice({ emoji, words, lang, isOn, onPress }: ChoiceProps) {
  return (
    <button type="button" lang={lang} aria-label={words} title={words} aria-pressed={isOn} onClick={onPress}>
      {emoji}
    </button>
  );
}

interface EmojiKeyProps {
  each: Emoji;
  tone: Tone;
  chosen: readonly string[];
  onChoose: (each: Emoji) => void;
}

function EmojiKey({ each, tone, chosen, onChoose }: EmojiKeyProps) {
  const emoji = inTone(each.emoji, tone);
  return (
    <Choice
      emoji={emoji}
      lang={namesIn}
      words={each.name}
      isOn={chosen.includes(emoji)}
      onPress={() => onChoose(each)}
    />
  );
}

/** The list, or the name of the note in its place. */
function useEmojiList(): readonly Emoji[] | 'loading' | 'failed' {
  const [list, setList] = useState<readonly Emoji[] | 'loading' | 'failed'>('loading');
  useEffect(() => {
    let isLeft = false;
    emojiList().then(
      (all) => isLeft || setList(all),
      () => isLeft || setList('failed'),
    );
    return () => {
      isLeft = true;
    };
  }, []);
  return list;
}

const recentKey = 'tunemate/recent-emoji';
const mostRecent = 16;

/** Without their tone, the newest first. */
const recentEmoji = (): readonly string[] => deviceStorage.getItem(recentKey)?.split(' ').filter(Boolean) ?? [];

function keepRecent(emoji: string): void {
  const after = [emoji, ...recentEmoji().filter((each) => each !== emoji)].slice(0, mostRecent);
  deviceStorage.setItem(recentKey, after.join(' '));
}

const toneKey = 'tunemate/skin-tone';

function useTone(): readonly [Tone, (tone: Tone) => void] {
  const [tone, setTone] = useState(() => tones.find((each) => String(each) === deviceStorage.getItem(toneKey)) ?? 0);
  return [
    tone,
    (next) => {
      deviceStorage.setItem(toneKey, String(next));
      setTone(next);
    },
  ];
}

/** Left and right go to the neighbour, up and down to the row above or below; from the field down into the grid. */
function moveInGrid(currentTarget: HTMLElement, event: KeyboardEvent): void {
  const { key, target } = event;
  const grid = currentTarget.querySelector('[data-emoji-grid]');
  const keys = [...(grid?.querySelectorAll('button') ?? [])];
  const at = keys.indexOf(target as HTMLButtonElement);
  const field = currentTarget.querySelector('input');
  if (at === -1 && !(target === field && key === 'ArrowDown')) return;
  const ahead = getComputedStyle(currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  const back = ahead === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight';
  const next: Readonly<Record<string, () => HTMLElement | null | undefined>> = {
    [ahead]: () => keys[at + 1],
    [back]: () => keys[at - 1] ?? field,
    ArrowDown: () => (at === -1 ? keys[0] : inNextRow(keys, at, true)),
    ArrowUp: () => inNextRow(keys, at, false) ?? field,
  };
  const find = next[key];
  if (find === undefined) return;
  event.preventDefault();
  find()?.focus();
}

/** The key nearest to it in the row below or above, which may be shorter. */
function inNextRow(keys: readonly HTMLElement[], at: number, isBelow: boolean): HTMLElement | undefined {
  const here = keys[at];
  if (here === undefined) return undefined;
  const beyond = keys.filter(({ offsetTop }) => (isBelow ? offsetTop > here.offsetTop : offsetTop < here.offsetTop));
  const edge = (isBelow ? beyond[0] : beyond.at(-1))?.offsetTop;
  const awayBy = ({ offsetLeft }: HTMLElement): number => Math.abs(offsetLeft - here.offsetLeft);
  const [nearest] = beyond.filter(({ offsetTop }) => offsetTop === edge).toSorted((a, b) => awayBy(a) - awayBy(b));
  return nearest;
}

// The emoji that can be chosen: read from a file in the user's language when first asked for, found by words, in skin tones.

interface Emoji {
  /** The number of its kind. */
  readonly kind: number;
  readonly emoji: string;
  readonly name: string;
  /** What it is found by, folded. */
  readonly words: readonly string[];
}

const addresses: Readonly<Record<string, string>> = { de: german, es: spanish, hi: hindi };

/** The language of the names, where it is not the page's. */
const namesIn = language in addresses ? undefined : 'en';

let list: Promise<readonly Emoji[]> | null = null;

/** Fetched once; again after a failure. */
function emojiList(): Promise<readonly Emoji[]> {
  list ??= fetchList().catch((error: unknown) => {
    list = null;
    throw error;
  });
  return list;
}

async function fetchList(): Promise<readonly Emoji[]> {
  const answer = await fetch(addresses[language] ?? english);
  if (!answer.ok) throw new Error(`no list of emoji: ${String(answer.status)}`);
  const isOne = drawnAsOne();
  return readEmoji(await answer.text()).filter(({ emoji }) => isOne(emoji));
}

/** Whether this device draws an emoji as one picture: those that it does not know are drawn as their parts in a row. */
function drawnAsOne(): (emoji: string) => boolean {
  const pen = document.createElement('canvas').getContext('2d');
  // The page's fonts decide which parts are drawn.
  if (pen) pen.font = `16px ${getComputedStyle(document.body).fontFamily}`;
  const widthOf = (text: string): number => pen?.measureText(text).width ?? 0;
  const mostWide = widthOf('😀') * 1.5;
  return (emoji) => !emoji.includes('\u200D') || widthOf(emoji) <= mostWide;
}

/** One emoji a line, as `web/emoji/take.mjs` writes them; without those that this browser does not know. */
export function readEmoji(text: string): Emoji[] {
  return text.split('\n').flatMap((line) => {
    const [kind = '', emoji = '', name = '', more = ''] = line.split('\t');
    if (!isEmoji(emoji)) return [];
    return [{ kind: Number(kind), emoji, name, words: searchedText(`${name} ${more} ${emoji}`).split(' ') }];
  });
}

/** Those that have, for each word of the query, one that begins with it; whole names first. */
export function foundEmoji(all: readonly Emoji[], query: string, most: number): Emoji[] {
  const asked = wordsOf(query);
  const [first = ''] = asked[0] ?? [];
  const found = all.filter(({ words }) =>
    asked.every((spellings) => words.some((word) => spellings.some((each) => word.startsWith(each)))),
  );
  const rank = ({ words }: Emoji): number => (words[0] === first ? 0 : words.includes(first) ? 1 : 2);
  return found.toSorted((one, two) => rank(one) - rank(two)).slice(0, most);
}

/** Of skin, from light to dark; 0 for none. */
type Tone = 0 | 1 | 2 | 3 | 4 | 5;
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
