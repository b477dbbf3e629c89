/** The message field. Text that can't be sent stays in it; a note shows when it is too long. */
import { KeyboardComposer } from '../keyboard/KeyboardComposer.tsx';
import type { ComposerProps } from '../ui/chat/Composer.tsx';
import styles from './Messages.module.css';
import { isTooLong } from './too-long.ts';

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
        label="Message"
        value={draft}
        onChange={onDraft}
        onSend={() => {
          if (onSend(draft)) onDraft('');
        }}
      />
    </div>
  );
}
