/**
 * Where a message is written: Enter sends, Shift+Enter begins a line, pasted lines stay lines. Grows with its text up to
 * six lines, then scrolls.
 */
import {
  type KeyboardEvent,
  type Ref,
  type TextareaHTMLAttributes,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import { classNames } from '../ui/class-names.ts';
import { fieldDirection } from '../ui/fields/Field.tsx';
import fieldStyles from '../ui/fields/Field.module.css';
import styles from './MessageComposer.module.css';

/** Native attributes pass through; its form is what Enter submits. */
export interface MessageFieldProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'value'> {
  label: string;
  value: string;
  onChange: (text: string) => void;
  ref?: Ref<HTMLTextAreaElement> | undefined;
}

export function MessageField({
  label,
  placeholder = label,
  value,
  onChange,
  onKeyDown,
  ref,
  ...rest
}: MessageFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => field.current as HTMLTextAreaElement);
  // After each change of the text. Not `field-sizing`, which Firefox lacks. The style sheet limits the height.
  useLayoutEffect(() => {
    const { current } = field;
    if (current === null) return;
    current.style.height = 'auto';
    const borders = current.offsetHeight - current.clientHeight;
    current.style.height = `${String(current.scrollHeight + borders)}px`;
  });
  return (
    <textarea
      rows={1}
      dir={fieldDirection(value)}
      autoComplete="off"
      enterKeyHint="send"
      placeholder={placeholder}
      {...rest}
      ref={field}
      aria-label={label}
      className={classNames(fieldStyles.input, styles.input)}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        if (!sends(event)) return;
        event.preventDefault();
        event.currentTarget.form?.requestSubmit();
      }}
    />
  );
}

/** Enter that ends the input of a Japanese or Chinese word sends nothing. Browsers report it by `isComposing` or 229. */
function sends({ key, shiftKey, altKey, nativeEvent, keyCode }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !altKey && !nativeEvent.isComposing && keyCode !== 229;
}
