/** What can be done with one message: stamps, Copy, Reply, and for the host Delete for all. Escape puts it away. */
import { useEffect, useEffectEvent, useRef } from 'react';
import type { StampName } from '@tunemate/protocol';
import { Button } from '../ui/buttons/Button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { useToast } from '../ui/feedback/toasts.ts';
import type { ChatBubble } from './chat-bubbles.ts';
import { StampRow } from './StampRow.tsx';
import styles from './RoomChat.module.css';

export interface MessageMenuProps {
  bubble: ChatBubble;
  onStamp: (stamp: StampName, isOn: boolean) => void;
  onReply: () => void;
  /** Left out for everybody but the host. */
  onDelete?: (() => void) | undefined;
  /** Something was done, or Escape was pressed: the focus goes back to the message. */
  onClose: () => void;
  /** The focus went elsewhere. */
  onLeave: () => void;
}

export function MessageMenu({ bubble, onStamp, onReply, onDelete, onClose, onLeave }: MessageMenuProps) {
  const box = useRef<HTMLDivElement>(null);
  const toast = useToast();
  const pressed = bubble.stamps.filter(({ isMine }) => isMine).map(({ stamp }) => stamp);
  const close = useEffectEvent(onClose);
  const leave = useEffectEvent(onLeave);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      close();
    };
    const onFocusOut = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Node && !element.contains(relatedTarget)) leave();
    };
    element.addEventListener('keydown', onKeyDown);
    element.addEventListener('focusout', onFocusOut);
    element.querySelector('button')?.focus();
    element.scrollIntoView({ block: 'nearest' });
    return () => {
      element.removeEventListener('keydown', onKeyDown);
      element.removeEventListener('focusout', onFocusOut);
    };
  }, []);
  const group = { role: 'group', 'aria-label': `Message of ${bubble.author.name}` } as const;
  return (
    <div ref={box} className={styles.menu} {...group}>
      <StampRow
        label="React to this message"
        pressed={pressed}
        onPress={(stamp) => {
          onStamp(stamp, !pressed.includes(stamp));
          onClose();
        }}
      />
      <div className={styles.acts}>
        <Button
          variant="ghost"
          small
          onClick={() => {
            void copyText(bubble.text).then((isCopied) => {
              if (isCopied) toast('Message copied');
            });
            onClose();
          }}
        >
          Copy
        </Button>
        <Button variant="ghost" small onClick={onReply}>
          Reply
        </Button>
        {onDelete && (
          <Button variant="ghost" small onClick={onDelete}>
            Delete for all
          </Button>
        )}
      </div>
    </div>
  );
}
