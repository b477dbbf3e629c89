/** The menu of one message: stamps, Copy, Reply, Edit, Report, and for the host and its sender Delete for all. */
import type { StampName } from '@tunemate/protocol';
import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react';
import { Button } from '../../ui/buttons/Button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { useKeyDown } from '../../ui/use-key-down.ts';
import { useToast } from '../../ui/feedback/toasts.ts';
import type { ChatBubble } from './chat-model.ts';
import { StampRow } from './StampRow.tsx';
import styles from './MessageMenu.module.css';
import { t } from '../../language/t.ts';

interface MessageMenuProps {
  bubble: ChatBubble;
  onStamp: (stamp: StampName, isOn: boolean) => void;
  onReply: () => void;
  /** For 15 minutes its sender. */
  onEdit?: (() => void) | undefined;
  /** Opens the sheet about its author; not for the user's own messages. */
  onPerson?: (() => void) | undefined;
  onReport?: (() => void) | undefined;
  /** For the host, and for 15 minutes its sender. */
  onDelete?: (() => void) | undefined;
  /** Closes and returns the focus to the message. */
  onClose: () => void;
  /** The focus has left the menu. */
  onLeave: () => void;
}

export function MessageMenu({
  bubble,
  onStamp,
  onReply,
  onEdit,
  onPerson,
  onReport,
  onDelete,
  onClose,
  onLeave,
}: MessageMenuProps) {
  const toast = useToast();
  const pressed = bubble.stamps.filter(({ isMine }) => isMine).map(({ stamp }) => stamp);
  return (
    <MenuBox label={t`Message of ${bubble.author.name}`} onClose={onClose} onLeave={onLeave}>
      <StampRow
        label={t`React to this message`}
        pressed={pressed}
        onPress={(stamp) => {
          onStamp(stamp, !pressed.includes(stamp));
          onClose();
        }}
      />
      <div className={styles.acts}>
        <MenuAction
          onPress={() => {
            void copyText(bubble.text).then((isCopied) => {
              if (isCopied) toast(t`Message copied`);
            });
            onClose();
          }}
        >
          {t`Copy`}
        </MenuAction>
        <MenuAction onPress={onReply}>{t`Reply`}</MenuAction>
        {onEdit && <MenuAction onPress={onEdit}>{t`Edit`}</MenuAction>}
        {onPerson && <MenuAction onPress={onPerson}>{t`About ${bubble.author.name}`}</MenuAction>}
        {onReport && <MenuAction onPress={onReport}>{t`Report`}</MenuAction>}
        {onDelete && <MenuAction onPress={onDelete}>{t`Delete for all`}</MenuAction>}
      </div>
    </MenuBox>
  );
}

interface MenuBoxProps {
  /** Names the message. */
  label: string;
  /** Escape was pressed: the focus goes back to the message. */
  onClose: () => void;
  /** The focus went elsewhere. */
  onLeave: () => void;
  children: ReactNode;
}

/** Below the bubble of the message: takes the focus, and Escape closes it. */
function MenuBox({ label, onClose, onLeave, children }: MenuBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const leave = useEffectEvent(onLeave);
  useKeyDown(box, (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  });
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const onFocusOut = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Node && !element.contains(relatedTarget)) leave();
    };
    element.addEventListener('focusout', onFocusOut);
    element.querySelector('button')?.focus();
    element.scrollIntoView({ block: 'nearest' });
    return () => {
      element.removeEventListener('focusout', onFocusOut);
    };
  }, []);
  const group = { role: 'group', 'aria-label': label } as const;
  return (
    <div ref={box} className={styles.menu} {...group}>
      {children}
    </div>
  );
}

function MenuAction({ onPress, children }: { onPress: () => void; children: string }) {
  return (
    <Button variant="ghost" small onClick={onPress}>
      {children}
    </Button>
  );
}
