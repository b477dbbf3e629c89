/** The message field of a chat: for a new message, a reply or an edit, with what is answered or edited above it. */
import { cleanMessage, isBlank } from '@tunemate/protocol';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { CloseIcon } from '../ui/icons/icons.tsx';
import type { Elements } from '../ui/OwnText.tsx';
import { MessageComposer, type MessageComposerProps } from './MessageComposer.tsx';
import styles from './MessageComposer.module.css';
import { isTooLong } from './outbox.ts';
import { replyWords } from './reply-words.ts';

/** What the field is for, beside a new message. */
export type WritingMode<Id, Quote> =
  | { readonly type: 'reply'; readonly quote: Quote }
  | {
      readonly type: 'edit';
      readonly id: Id;
      /** As it was, and as it is in the field. */
      readonly text: string;
      readonly draft: string;
      readonly edits: number;
    };

interface WritingFieldProps<Id, Quote> extends Omit<MessageComposerProps, 'onSend'> {
  mode: WritingMode<Id, Quote> | null;
  onMode: (mode: WritingMode<Id, Quote> | null) => void;
  /** The name and the words that are shown of an answered message. */
  quoted: (quote: Quote) => { name: string; text: string };
  /** Returns false when the text was not accepted. */
  onSend: (text: string, quote: Quote | null) => boolean;
  /** The user has changed the text of a message. */
  onEdit: (edited: { id: Id; text: string; edits: number }) => void;
  /** Edits the last message of the user, if it can be edited. */
  onEditLast: () => void;
  onTyping: () => void;
  /** Above the field. */
  children?: Elements;
  className?: string | undefined;
  /** While a recorder takes its place; it stays, as a finger may hold its microphone. */
  isHidden?: boolean;
}

export function WritingField<Id, Quote>(props: WritingFieldProps<Id, Quote>) {
  const { mode, onMode, draft: kept, onDraft, quoted, onSend, onEdit, onEditLast, onTyping } = props;
  const { children, className, isHidden = false, tooLong, lead, onPaste } = props;
  const box = useRef<HTMLDivElement>(null);
  const draft = mode?.type === 'edit' ? mode.draft : kept;
  const begun = mode && (mode.type === 'edit' ? mode.id : mode.quote);
  const isEmpty = draft === '' && mode === null;
  useFieldKeys(box, { onEscape: mode && (() => onMode(null)), onUp: isEmpty ? onEditLast : null });
  useEffect(() => {
    if (begun !== null) fieldIn(box)?.focus();
  }, [begun]);

  function send(text: string): boolean {
    if (mode?.type !== 'edit') {
      const isSent = onSend(text, mode?.quote ?? null);
      if (isSent) onMode(null);
      return isSent;
    }
    const next = cleanMessage(text);
    if (isBlank(next) || isTooLong(next)) return false;
    if (next !== mode.text) onEdit({ id: mode.id, text: next, edits: mode.edits + 1 });
    onMode(null);
    // The field goes back to its draft by itself.
    return false;
  }

  return (
    <div ref={box} className={className}>
      {mode !== null && (
        <ModeStrip
          answers={mode.type === 'edit' ? null : quoted(mode.quote).name}
          text={mode.type === 'edit' ? mode.text : quoted(mode.quote).text}
          onCancel={() => {
            onMode(null);
            fieldIn(box)?.focus();
          }}
        />
      )}
      {children}
      <div hidden={isHidden}>
        <MessageComposer
          {...{ draft, tooLong, lead, onPaste }}
          onDraft={(text) => {
            if (mode?.type === 'edit') onMode({ ...mode, draft: text });
            else onDraft(text);
            if (text.trim() !== '') onTyping();
          }}
          onSend={send}
        />
      </div>
    </div>
  );
}

interface ModeStripProps {
  /** The name of the person who is answered; null while a message is edited. */
  answers: string | null;
  /** The words of the message. */
  text: string;
  onCancel: () => void;
}

function ModeStrip({ answers, text, onCancel }: ModeStripProps) {
  return (
    <div className={styles.strip}>
      <p>
        <b dir="auto">{answers === null ? replyWords.editMessage : replyWords.replyTo(answers)}</b>
        <span dir="auto">{text}</span>
      </p>
      <IconButton
        label={answers === null ? replyWords.cancelEdit : replyWords.cancelReply}
        icon={<CloseIcon size={20} />}
        onClick={onCancel}
      />
    </div>
  );
}

const fieldIn = (box: RefObject<HTMLElement | null>) => box.current?.querySelector('textarea') ?? null;

/** Keys that the field does not use itself; null where a key does nothing. */
function useFieldKeys(
  box: RefObject<HTMLElement | null>,
  keys: { onEscape: (() => void) | null; onUp: (() => void) | null },
): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const act = event.key === 'Escape' ? keys.onEscape : event.key === 'ArrowUp' ? keys.onUp : null;
    if (act === null || event.isComposing || event.target !== fieldIn(box)) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
  useEffect(() => {
    const element = box.current;
    const onKeyDown = (event: KeyboardEvent) => press(event);
    element?.addEventListener('keydown', onKeyDown);
    return () => element?.removeEventListener('keydown', onKeyDown);
  }, [box]);
}
