/** All emoji above the key that opened them; Escape and a press beside close. */
import { type CSSProperties, type RefObject, useRef } from 'react';
import { useModalElement } from '../../ui/dialogs/use-modal-element.ts';
import { menuSheet } from '../../messages/MenuSheet.tsx';
import { usePlaceAbove } from '../../messages/place-above.ts';
import { EmojiPicker } from './EmojiPicker.tsx';
import { emojiWords } from './emoji-words.ts';

/** Eight keys of 44 px, the padding and a scroll bar. */
const wide = { '--menu-w': '396px' } as CSSProperties;

interface EmojiDialogProps {
  anchor: RefObject<Element | null>;
  onChoose: (emoji: string) => void;
  onClose: () => void;
}

export function EmojiDialog({ anchor, onChoose, onClose }: EmojiDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useModalElement(dialog, onClose, { scrimCloses: true });
  usePlaceAbove(dialog, anchor);
  return (
    <dialog ref={dialog} className={menuSheet} style={wide} aria-label={emojiWords.choose}>
      <EmojiPicker onChoose={onChoose} />
    </dialog>
  );
}
