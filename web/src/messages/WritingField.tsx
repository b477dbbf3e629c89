/** The message field of a chat: for a new message, a reply or an edit, with what is answered or edited above it. */
import { cleanMessage, isBlank } from '@tunemate/protocol';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { CloseIcon } from '../ui/icons/icons.tsx';
import type { Elements } from '../ui/OwnText.tsx';
import { useKeyDown } from '../ui/use-key-down.ts';
import styles from './MessageComposer.module.css';
import { isTooLong } from './outbox.ts';
import { replyWords } from './reply-words.ts';
import { flushSync } from 'react-dom';
import { cell } from '../store/cell.ts';
import { lazyPart } from '../store/lazy-part.ts';
import { deviceStorage, type LenientStorage } from '../store/lenient-storage.ts';
import { mediaQuery } from '../store/media-query.ts';
import { useReadable } from '../store/use-readable.ts';
import { KeyboardIcon } from '../ui/icons/page-icons.tsx';
import { SendIcon } from '../ui/icons/marks.tsx';
import { MessageField, type MessageFieldProps } from './MessageField.tsx';
import { t } from '../language/t.ts';

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
  const { children, className, isHidden = false, tooLong, lead, placeholder, onPaste } = props;
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
          {...{ draft, tooLong, lead, placeholder, onPaste }}
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
        <b dir="auto">{answers === null ? t`Edit message` : replyWords.replyTo(answers)}</b>
        <span dir="auto">{text}</span>
      </p>
      <IconButton
        label={answers === null ? t`Cancel the edit` : t`Cancel the reply`}
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
  useKeyDown(box, (event) => {
    const act = event.key === 'Escape' ? keys.onEscape : event.key === 'ArrowUp' ? keys.onUp : null;
    if (act === null || event.isComposing || event.target !== fieldIn(box)) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
}

interface MessageComposerProps extends Pick<ComposerProps, 'lead' | 'placeholder' | 'onPaste'> {
  draft: string;
  onDraft: (text: string) => void;
  /** The note while the text is too long. */
  tooLong: string;
  /** Returns false when the text was not accepted. */
  onSend: (text: string) => boolean;
}

/**
 * The message field, with the on-screen keyboard below it on small screens if the user chose it. Text that can't be
 * sent stays in the field; a note shows when it is too long.
 */
function MessageComposer({ draft, onDraft, tooLong, onSend, ...rest }: MessageComposerProps) {
  return (
    <div>
      {isTooLong(draft) && (
        <p className={styles.warning} role="alert">
          {tooLong}
        </p>
      )}
      <KeyboardComposer
        {...rest}
        label={t`Message`}
        value={draft}
        onChange={onDraft}
        onSend={() => {
          if (onSend(draft)) onDraft('');
        }}
      />
    </div>
  );
}

// The keyboard that the user chose, on small screens and touch screens.

type KeyboardChoice = 'on-screen' | 'device';

const keyboardKey = 'tunemate/keyboard';

export function createKeyboardChoice(storage: LenientStorage) {
  const choice = cell<KeyboardChoice>(storage.getItem(keyboardKey) === 'device' ? 'device' : 'on-screen');
  return {
    get: choice.get,
    subscribe: choice.subscribe,
    set(next: KeyboardChoice): void {
      storage.setItem(keyboardKey, next);
      choice.set(next);
    },
  };
}

export const keyboardChoice = createKeyboardChoice(deviceStorage);

/** Where the on-screen keyboard is offered: not on a phone on its side, where it would leave the chat no line. */
const smallOrTouch = mediaQuery('((width <= 48em) or (pointer: coarse)) and ((width < 40em) or (height > 27em))');

const OnScreenKeyboard = lazyPart(async () => (await import('../keyboard/OnScreenKeyboard.tsx')).OnScreenKeyboard);

const once = { once: true };

function KeyboardComposer({ lead, ...rest }: Omit<ComposerProps, 'ref' | 'inputMode'>) {
  const field = useRef<HTMLTextAreaElement>(null);
  const belongs = useReadable(smallOrTouch);
  const choice = useReadable(keyboardChoice);
  const [isWriting, setIsWriting] = useState(false);
  const [isMissing, setIsMissing] = useState(false);
  const isOnScreen = belongs && choice === 'on-screen' && !isMissing;

  function choose(next: typeof choice): void {
    // Browsers open or close the device's keyboard when a field gets the focus, by its input mode at that time.
    field.current?.blur();
    flushSync(() => keyboardChoice.set(next));
    field.current?.focus();
  }

  return (
    <div
      onFocus={() => setIsWriting(true)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (currentTarget.contains(relatedTarget)) return;
        const end = () => {
          if (currentTarget.contains(document.activeElement)) return;
          setIsWriting(false);
          setIsMissing(false);
        };
        // A press elsewhere meets what it was aimed at: the keyboard goes, and all of it moves, once it is over.
        if (document.documentElement.matches(':active')) addEventListener('mouseup', () => setTimeout(end), once);
        else end();
      }}
      onPointerDown={(event) => {
        // A press on an on-screen key does not end the typing.
        if (isOnScreen && isWriting && event.target !== field.current) event.preventDefault();
      }}
    >
      <Composer
        {...rest}
        ref={field}
        inputMode={isOnScreen ? 'none' : undefined}
        lead={
          <>
            {lead}
            {belongs && !isOnScreen && (
              <IconButton label={t`On-screen keyboard`} icon={<KeyboardIcon />} onClick={() => choose('on-screen')} />
            )}
          </>
        }
      />
      {isOnScreen && isWriting && (
        <OnScreenKeyboard field={field} onDevice={() => choose('device')} onMissing={() => setIsMissing(true)} />
      )}
    </div>
  );
}

interface ComposerProps extends MessageFieldProps {
  onSend: () => void;
  lead?: Elements;
}

/** What the server does not take for blank: it takes unseen marks out first. */
const visible = /[^\s\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFC]/u;

/** The field, its keys and its send button. Nothing is sent while the text is empty. */
function Composer({ onSend, lead, ...rest }: ComposerProps) {
  const isBlank = !visible.test(rest.value);
  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBlank) onSend();
      }}
    >
      <MessageField {...rest} />
      {lead}
      <IconButton type="submit" label={t`Send`} icon={<SendIcon />} filled className={styles.send} />
    </form>
  );
}
