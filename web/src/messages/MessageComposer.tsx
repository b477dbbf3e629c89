/**
 * The message field, with the on-screen keyboard below it on small screens if the user chose it. Text that can't be
 * sent stays in the field; a note shows when it is too long.
 */
import { Suspense, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { keyboardChoice, useSmallOrTouch } from '../keyboard/keyboard-choice.ts';
import { lazyPart } from '../store/lazy-part.ts';
import { useReadable } from '../store/use-readable.ts';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { KeyboardIcon } from '../ui/icons/page-icons.tsx';
import { SendIcon } from '../ui/icons/marks.tsx';
import styles from './MessageComposer.module.css';
import { MessageField, type MessageFieldProps } from './MessageField.tsx';
import { isTooLong } from './outbox.ts';
import type { Elements } from '../ui/OwnText.tsx';
import { t } from '../language/t.ts';

export interface MessageComposerProps extends Pick<ComposerProps, 'lead' | 'onPaste'> {
  draft: string;
  onDraft: (text: string) => void;
  /** The note while the text is too long. */
  tooLong: string;
  /** Returns false when the text was not accepted. */
  onSend: (text: string) => boolean;
}

export function MessageComposer({ draft, onDraft, tooLong, onSend, ...rest }: MessageComposerProps) {
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

const OnScreenKeyboard = lazyPart(async () => (await import('../keyboard/OnScreenKeyboard.tsx')).OnScreenKeyboard);

function KeyboardComposer({ lead, ...rest }: Omit<ComposerProps, 'ref' | 'inputMode'>) {
  const field = useRef<HTMLTextAreaElement>(null);
  const belongs = useSmallOrTouch();
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
        setIsWriting(false);
        setIsMissing(false);
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
        <Suspense>
          <OnScreenKeyboard field={field} onDevice={() => choose('device')} onMissing={() => setIsMissing(true)} />
        </Suspense>
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

/** The field and its send button. Nothing is sent while the text is empty. */
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
      {lead}
      <MessageField {...rest} />
      <IconButton type="submit" label={t`Send`} icon={<SendIcon />} filled className={styles.send} />
    </form>
  );
}
