/** The key in a message field that opens all emoji, where the device has no keyboard with them. */
import { type RefObject, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { lazyPart } from '../../store/lazy-part.ts';
import { mediaQuery } from '../../store/media-query.ts';
import { useReadable } from '../../store/use-readable.ts';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { SmileIcon } from '../../ui/icons/page-icons.tsx';
import { emojiWords } from './emoji-words.ts';

const EmojiDialog = lazyPart(async () => (await import('./EmojiDialog.tsx')).EmojiDialog);

const wideWithPointer = mediaQuery('(width > 48em) and (pointer: fine)');

/** As the keys of the field beside it. */
const besideKeys = { display: 'flex', marginBottom: '2px' } as const;

/** Stands in the form of the field. */
export function EmojiButton() {
  const isOffered = useReadable(wideWithPointer);
  const box = useRef<HTMLSpanElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  if (!isOffered) return null;
  return (
    <span ref={box} style={besideKeys}>
      <IconButton
        label={emojiWords.choose}
        icon={<SmileIcon size={24} />}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      />
      {isOpen && (
        <EmojiDialog
          anchor={box}
          onChoose={(emoji) => {
            flushSync(() => setIsOpen(false));
            write(box, emoji);
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </span>
  );
}

/** Where the caret was. */
function write(box: RefObject<HTMLElement | null>, emoji: string): void {
  const field = box.current?.closest('form')?.querySelector('textarea');
  if (!field) return;
  field.focus();
  field.setRangeText(emoji, field.selectionStart, field.selectionEnd, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
