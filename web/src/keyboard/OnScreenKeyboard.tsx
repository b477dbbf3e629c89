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
import {
  afterLetter,
  afterShift,
  eraseBackwards,
  insertText,
  type Key,
  type KeyAction,
  keyActionLabels,
  panelLabels,
  type Panel,
  panels,
  type Shift,
  shifted,
} from './keys.ts';
import styles from './OnScreenKeyboard.module.css';
import { t } from '../language/t.ts';

const repeatAfterMs = 400;
const repeatEveryMs = 60;

interface OnScreenKeyboardProps {
  field: RefObject<HTMLTextAreaElement | null>;
  /** The user chose the device's keyboard. */
  onDevice: () => void;
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
    navigator.vibrate?.(limits.keyVibrationMs);
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
