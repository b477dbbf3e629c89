/**
 * All emoji, by kind or by the words of a search, in the skin tone that was chosen on this device. Arrows move between
 * them, Enter in the search takes the first one, and one that is pasted there is taken as it is.
 */
import { isEmoji } from '@tunemate/protocol';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { deviceStorage } from '../../store/lenient-storage.ts';
import styles from '../acts/MessageActions.module.css';
import { type Emoji, emojiList, foundEmoji, inTone, type Tone, tones } from './emoji-list.ts';
import { emojiKinds, emojiWords, toneWords } from './emoji-words.ts';

interface EmojiPickerProps {
  /** Those that are chosen already. */
  chosen?: readonly string[];
  onChoose: (emoji: string) => void;
}

const mostFound = 64;

export function EmojiPicker({ chosen = [], onChoose }: EmojiPickerProps) {
  const box = useArrows();
  const list = useEmojiList();
  const [query, setQuery] = useState('');
  const [kind, setKind] = useState(0);
  const [tone, setTone] = useTone();
  const isSearch = query.trim() !== '';
  const all = typeof list === 'string' ? [] : list;
  const offered = isSearch ? foundEmoji(all, query, mostFound) : all.filter((each) => each.kind === kind);
  const note = typeof list === 'string' ? emojiWords[list] : offered.length === 0 ? emojiWords.nothing : null;
  const [first] = isSearch ? offered : [];

  return (
    <div className={styles.panel} {...groupOf(emojiWords.choose)} ref={box}>
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
          onChoose(inTone(first.emoji, tone));
        }}
      />
      {!isSearch && (
        <div className={styles.emojis} {...groupOf(emojiWords.kinds)}>
          {emojiKinds.map(([each, emoji, words]) => (
            <Choice key={each} {...{ emoji, words }} isOn={each === kind} onPress={() => setKind(each)} />
          ))}
        </div>
      )}
      {note === null ? (
        <div className={styles.grid} {...groupOf(emojiWords.choose)} data-emoji-grid>
          {offered.map((each) => (
            <EmojiKey key={each.emoji} {...{ each, tone, chosen, onChoose }} />
          ))}
        </div>
      ) : (
        <output>{note}</output>
      )}
      <div className={styles.emojis} {...groupOf(emojiWords.tone)}>
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

const groupOf = (label: string) => ({ role: 'group', 'aria-label': label }) as const;

interface ChoiceProps {
  emoji: string;
  words: string;
  isOn: boolean;
  onPress: () => void;
}

function Choice({ emoji, words, isOn, onPress }: ChoiceProps) {
  return (
    <button type="button" aria-label={words} title={words} aria-pressed={isOn} onClick={onPress}>
      {emoji}
    </button>
  );
}

interface EmojiKeyProps extends Required<EmojiPickerProps> {
  each: Emoji;
  tone: Tone;
}

function EmojiKey({ each: { emoji: plain, name }, tone, chosen, onChoose }: EmojiKeyProps) {
  const emoji = inTone(plain, tone);
  return <Choice emoji={emoji} words={name} isOn={chosen.includes(emoji)} onPress={() => onChoose(emoji)} />;
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
function useArrows(): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = box;
    const move = (event: KeyboardEvent) => current && moveInGrid(current, event);
    current?.addEventListener('keydown', move);
    return () => current?.removeEventListener('keydown', move);
  }, []);
  return box;
}

function moveInGrid(currentTarget: HTMLElement, event: KeyboardEvent): void {
  const { key, target } = event;
  const grid = currentTarget.querySelector('[data-emoji-grid]');
  const keys = [...(grid?.querySelectorAll('button') ?? [])];
  const at = keys.indexOf(target as HTMLButtonElement);
  const field = currentTarget.querySelector('input');
  if (at === -1 && !(target === field && key === 'ArrowDown')) return;
  const columns = keys.findIndex((each) => each.offsetTop !== keys[0]?.offsetTop);
  const inRow = columns < 1 ? keys.length : columns;
  const ahead = getComputedStyle(currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  const back = ahead === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight';
  const steps: Readonly<Record<string, number>> = { [ahead]: 1, [back]: -1, ArrowDown: inRow, ArrowUp: -inRow };
  const step = steps[key];
  if (step === undefined) return;
  event.preventDefault();
  if (at === -1) keys[0]?.focus();
  else if (at + step < 0) field?.focus();
  else keys[at + step]?.focus();
}
