/** The message field, with the on-screen keyboard below it on small screens if the user wants it. The
   keyboard is there while somebody writes, and its code comes when it is first needed. */
import { Suspense, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useReadable } from '../store/use-readable.ts';
import { KeyboardIcon } from '../ui/icons/icons.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { Composer, type ComposerProps } from '../ui/chat/Composer.tsx';
import { keyboardChoice, useSmallOrTouch } from './keyboard-choice.ts';
import { lazyPart } from '../store/lazy-part.ts';

const OnScreenKeyboard = lazyPart(async () => (await import('./OnScreenKeyboard.tsx')).OnScreenKeyboard);

export function KeyboardComposer({ lead, ...rest }: Omit<ComposerProps, 'ref' | 'inputMode'>) {
  const field = useRef<HTMLInputElement>(null);
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
              <IconButton label="On-screen keyboard" icon={<KeyboardIcon />} onClick={() => choose('on-screen')} />
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
