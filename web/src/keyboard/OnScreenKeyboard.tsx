/** Keys for letters, numbers, symbols and emoji. They write into a field that keeps the focus. */
import { limits } from '@tunemate/protocol';
import {
  ArrowBigUp,
  ArrowBigUpDash,
  CornerDownLeft,
  Delete,
  Keyboard as KeyboardDrawing,
  Smile,
  type LucideIcon,
} from 'lucide-react';
import { useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react';
import { classNames } from '../ui/class-names.ts';
import styles from './OnScreenKeyboard.module.css';
import { t } from '../language/t.ts';

const repeatAfterMs = 400;
const repeatEveryMs = 60;

interface OnScreenKeyboardProps {
  field: RefObject<HTMLTextAreaElement | null>;
  /** The user chose the device's keyboard. */
  onDevice: () => void;
}

/** A browser that refuses it, or throws, types all the same. */
function vibrate(): void {
  try {
    navigator.vibrate?.(limits.keyVibrationMs);
  } catch {
    // Nothing is felt.
  }
}

export function OnScreenKeyboard({ field, onDevice }: OnScreenKeyboardProps) {
  const [panel, setPanel] = useState<Panel>('letters');
  const [shift, setShift] = useState<Shift>('off');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stopRepeating = (): void => clearTimeout(timer.current);
  useEffect(() => stopRepeating, []);

  function eraseAndRepeat(delayMs: number): void {
    if (field.current !== null) eraseBackwards(field.current);
    timer.current = setTimeout(() => eraseAndRepeat(repeatEveryMs), delayMs);
  }

  function press(key: Key, isHeld: boolean): void {
    vibrate();
    const input = field.current;
    if (input === null) return;
    if (key.type === 'text') {
      insertText(input, shifted(key.text, shift));
      setShift(afterLetter);
    } else if (key.action === 'backspace') {
      if (isHeld) eraseAndRepeat(repeatAfterMs);
      else eraseBackwards(input);
    } else if (key.action === 'shift') setShift(afterShift);
    else if (key.action === 'enter') input.form?.requestSubmit();
    else if (key.action === 'device') onDevice();
    else setPanel(key.action === panel ? 'letters' : key.action);
  }

  return (
    <fieldset
      className={styles.keyboard}
      // Keys stand where they do on every keyboard, also where the language runs from right to left.
      dir="ltr"
      data-keyboard
      aria-label={panelLabels[panel]}
      onPointerUp={stopRepeating}
      onPointerCancel={stopRepeating}
      onPointerLeave={stopRepeating}
    >
      {panels[panel].map((row, index) => (
        <div
          key={`${panel} ${String(index)}`}
          className={classNames(
            styles.row,
            row.length === 9 && row[0]?.type === 'text' && styles.inset,
            row.length === 9 && row[0]?.type === 'act' && styles.mods,
            row.length === 6 && styles.base,
          )}
        >
          {row.map((key) => (
            <KeyButton key={nameOf(key)} button={key} panel={panel} shift={shift} onPress={press} />
          ))}
        </div>
      ))}
    </fieldset>
  );
}

interface KeyButtonProps {
  button: Key;
  panel: Panel;
  shift: Shift;
  onPress: (key: Key, isHeld: boolean) => void;
}

function KeyButton({ button, panel, shift, onPress }: KeyButtonProps) {
  const isOn = button.type === 'act' && (button.action === panel || (button.action === 'shift' && shift !== 'off'));
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={labelOf(button, shift)}
      aria-pressed={button.type === 'act' && button.action === 'shift' ? isOn : undefined}
      className={classNames(
        button.type === 'act' && styles.action,
        button.type === 'act' && button.action === 'enter' && styles.enter,
        isOn && styles.on,
      )}
      onPointerDown={(event: PointerEvent) => {
        // The field keeps the focus and its caret.
        event.preventDefault();
        if (event.button === 0) onPress(button, true);
      }}
      onClick={(event) => {
        // A click without a pointer comes from a screen reader.
        if (event.detail === 0) onPress(button, false);
      }}
    >
      <span>{faceOf(button, shift)}</span>
    </button>
  );
}

const nameOf = (key: Key): string => (key.type === 'text' ? key.text : key.action);

function labelOf(key: Key, shift: Shift): string | undefined {
  if (key.type === 'text') return key.text === ' ' ? t`Space` : undefined;
  return key.action === 'shift' && shift === 'locked' ? t`Shift, locked` : keyActionLabels[key.action];
}

const faces: Partial<Record<KeyAction, LucideIcon>> = {
  shift: ArrowBigUp,
  backspace: Delete,
  enter: CornerDownLeft,
  device: KeyboardDrawing,
  emoji: Smile,
};
const signs: Partial<Record<KeyAction, string>> = { letters: 'ABC', numbers: '123', symbols: '#+=' };

function faceOf(key: Key, shift: Shift) {
  if (key.type === 'text') return key.text === ' ' ? t`space` : shifted(key.text, shift);
  const Face = key.action === 'shift' && shift === 'locked' ? ArrowBigUpDash : faces[key.action];
  return Face === undefined ? signs[key.action] : <Face size={22} strokeWidth={1.8} aria-hidden="true" />;
}

type Panel = 'letters' | 'numbers' | 'symbols' | 'emoji';

type KeyAction = 'shift' | 'backspace' | 'enter' | 'device' | Panel;

/** A key that types its character, or a key with an action. */
type Key = { readonly type: 'text'; readonly text: string } | { readonly type: 'act'; readonly action: KeyAction };

const action = (name: KeyAction): Key => ({ type: 'act', action: name });
const written = (text: string): readonly Key[] =>
  Array.from(new Intl.Segmenter().segment(text), ({ segment }) => ({ type: 'text', text: segment }));
const space: Key = { type: 'text', text: ' ' };
const base = (other: Panel, extra: Key = { type: 'text', text: '.' }): readonly Key[] => [
  action(other),
  action('emoji'),
  action('device'),
  space,
  extra,
  action('enter'),
];

/** Rows from the top; the last one has the same width in all panels, so that its keys keep their places. */
export const panels: Record<Panel, readonly (readonly Key[])[]> = {
  letters: [
    written('qwertyuiop'),
    written('asdfghjkl'),
    [action('shift'), ...written('zxcvbnm'), action('backspace')],
    base('numbers'),
  ],
  numbers: [
    written('1234567890'),
    written('-/:;()$&@"'),
    [action('symbols'), ...written(".,?!'…–"), action('backspace')],
    base('letters'),
  ],
  symbols: [
    written('[]{}#%^*+='),
    written('_\\|~<>€£¥•'),
    [action('numbers'), ...written(".,?!'°§"), action('backspace')],
    base('letters'),
  ],
  emoji: [
    written('😀😂🥹😍😎🤔😴🥳'),
    written('👏🙌🙏💃🕺🎉❤️💔'),
    written('🔥✨🎵🎶🎧🎤🎸🎹'),
    written('🥁🎷🎺🎻🪩📻💿🌙'),
    base('letters', action('backspace')),
  ],
};

/** The accessible names of keys with an action; each begins with the visible label, so that voice control finds it. */
const keyActionLabels: Record<KeyAction, string> = {
  shift: t`Shift`,
  backspace: t`Backspace`,
  enter: t`Enter`,
  device: t`Use this device’s keyboard`,
  letters: t`ABC letters`,
  numbers: t`123 numbers`,
  symbols: t`#+= symbols`,
  emoji: t`Emoji`,
};

/** On for one letter, then locked, then off again. */
export type Shift = 'off' | 'once' | 'locked';

/** The keys of the on-screen keyboard: their layouts, the shift key, and how they type into a text field. Pure. */
export function afterShift(shift: Shift): Shift {
  if (shift === 'off') return 'once';
  return shift === 'once' ? 'locked' : 'off';
}

export function afterLetter(shift: Shift): Shift {
  return shift === 'once' ? 'off' : shift;
}

export function shifted(text: string, shift: Shift): string {
  return shift === 'off' ? text : text.toLocaleUpperCase();
}

type WritableField = Pick<
  HTMLTextAreaElement,
  'value' | 'selectionStart' | 'selectionEnd' | 'setRangeText' | 'dispatchEvent'
>;

/** Inserts `text` at the caret, in place of the selection. */
export function insertText(field: WritableField, text: string): void {
  const { start, end } = selectionOf(field);
  replace(field, text, start, end);
}

/** Removes the selection, else the one character before the caret, however many code units it has. */
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

const panelLabels: Record<Panel, string> = {
  letters: t`Keyboard, letters`,
  numbers: t`Keyboard, numbers`,
  symbols: t`Keyboard, symbols`,
  emoji: t`Keyboard, emoji`,
};
