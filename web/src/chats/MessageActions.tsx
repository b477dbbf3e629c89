/**
 * What can be done with one private message: a menu above its bubble on wide screens, a sheet on phones. Loaded when it
 * is opened. Arrows move, Enter chooses, Escape closes.
 */
import { isEmoji } from '@tunemate/protocol';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from '../ui/class-names.ts';
import { useModalElement } from '../ui/dialogs/use-modal-element.ts';
import { CopyIcon, PlusIcon } from '../ui/icons/icons.tsx';
import { EditIcon, FlagIcon, ReplyIcon, TrashIcon } from '../ui/icons/message-icons.tsx';
import { EmojiMark } from './EmojiMark.tsx';
import styles from './MessageActions.module.css';
import { conversationWords } from './conversation-words.ts';
import { moreEmojis, quickEmojis } from './emojis.ts';

export type MessageAct = 'reply' | 'copy' | 'edit' | 'hide' | 'delete' | 'report';

/** In the order in which they are shown, with the key of the focused message that does the same. */
const acts: readonly { act: MessageAct; words: string; shortcut?: string; Icon: typeof CopyIcon }[] = [
  { act: 'reply', words: conversationWords.reply, shortcut: 'R', Icon: ReplyIcon },
  { act: 'copy', words: conversationWords.copy, shortcut: 'C', Icon: CopyIcon },
  { act: 'edit', words: conversationWords.edit, shortcut: 'E', Icon: EditIcon },
  { act: 'report', words: conversationWords.report, Icon: FlagIcon },
  { act: 'hide', words: conversationWords.deleteForMe, shortcut: 'Del', Icon: TrashIcon },
  { act: 'delete', words: conversationWords.deleteForBoth, Icon: TrashIcon },
];

interface MessageActionsProps {
  label: string;
  /** The bubble. */
  anchor: Element | null;
  offered: readonly MessageAct[];
  /** Null where the message takes no reactions. */
  reacted: readonly string[] | null;
  onAct: (act: MessageAct) => void;
  onReact: (emoji: string, isOn: boolean) => void;
  onClose: () => void;
}

export function MessageActions({ label, anchor, offered, reacted, onAct, onReact, onClose }: MessageActionsProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isChoosing, setIsChoosing] = useState(false);
  useModalElement(dialog, onClose, { scrimCloses: true });
  usePlaceAbove(dialog, anchor, isChoosing);
  return (
    <dialog ref={dialog} className={styles.actions} aria-label={label}>
      <div className={styles.panel} role="menu" tabIndex={-1} aria-label={label} onKeyDown={moveByArrows}>
        {reacted !== null && (
          <div className={styles.emojis}>
            {quickEmojis.map(([emoji, , words]) => (
              <Emoji key={emoji} emoji={emoji} words={words} reacted={reacted} onReact={onReact} />
            ))}
            <button
              type="button"
              role="menuitem"
              tabIndex={-1}
              aria-label={conversationWords.moreEmoji}
              aria-expanded={isChoosing}
              onClick={() => setIsChoosing(!isChoosing)}
            >
              <PlusIcon size={22} />
            </button>
          </div>
        )}
        {isChoosing && reacted !== null && <MoreEmojis reacted={reacted} onReact={onReact} />}
        {acts
          .filter(({ act }) => offered.includes(act))
          .map(({ act, words, shortcut, Icon }, index) => (
            <button
              key={act}
              type="button"
              role="menuitem"
              tabIndex={-1}
              data-first-focus={index === 0 ? true : undefined}
              className={classNames(styles.act, act === 'delete' && styles.danger)}
              onClick={() => onAct(act)}
            >
              <Icon size={20} />
              <span>{words}</span>
              {shortcut !== undefined && <kbd aria-hidden="true">{shortcut}</kbd>}
            </button>
          ))}
      </div>
    </dialog>
  );
}

interface EmojiProps {
  emoji: string;
  words?: string;
  reacted: readonly string[];
  onReact: MessageActionsProps['onReact'];
}

function Emoji({ emoji, words = emoji, reacted, onReact }: EmojiProps) {
  const isOn = reacted.includes(emoji);
  return (
    <button
      type="button"
      role="menuitemcheckbox"
      aria-checked={isOn}
      aria-label={words}
      tabIndex={-1}
      onClick={() => onReact(emoji, !isOn)}
    >
      <EmojiMark emoji={emoji} size={26} />
    </button>
  );
}

/** Further emoji, and a field for any other: what is typed or pasted there is taken once it is one emoji. */
function MoreEmojis({ reacted, onReact }: Omit<EmojiProps, 'emoji' | 'words'>) {
  return (
    <>
      <div className={styles.grid}>
        {moreEmojis.map((emoji) => (
          <Emoji key={emoji} emoji={emoji} reacted={reacted} onReact={onReact} />
        ))}
      </div>
      <input
        className={styles.field}
        aria-label={conversationWords.anyEmoji}
        placeholder={conversationWords.anyEmoji}
        autoComplete="off"
        onChange={({ target }) => {
          const text = target.value.trim();
          if (isEmoji(text)) onReact(text, true);
        }}
      />
    </>
  );
}

function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget } = event;
  const items = [...currentTarget.querySelectorAll<HTMLElement>('[role^=menuitem], input')];
  const at = items.indexOf(target as HTMLElement);
  const isInRow =
    (target as HTMLElement).parentElement?.matches(`.${styles.emojis ?? ''}, .${styles.grid ?? ''}`) === true;
  const firstAct = items.findIndex((item) => item.classList.contains(styles.act ?? ''));
  const to =
    key === 'Home'
      ? 0
      : key === 'End'
        ? items.length - 1
        : key === 'ArrowRight' && isInRow
          ? at + 1
          : key === 'ArrowLeft' && isInRow
            ? at - 1
            : key === 'ArrowDown'
              ? isInRow && at < 7 && firstAct === 7
                ? firstAct
                : at + 1
              : key === 'ArrowUp'
                ? at - 1
                : null;
  if (to === null || (target instanceof HTMLInputElement && key !== 'ArrowDown' && key !== 'ArrowUp')) return;
  event.preventDefault();
  items.at(to % items.length)?.focus();
}

const gapPx = 8;

/** Above the bubble, below it where there is no room, and never over it; style sheets place it on phones. */
function usePlaceAbove(dialog: { current: HTMLDialogElement | null }, anchor: Element | null, isLarger: boolean): void {
  useLayoutEffect(() => {
    const { current } = dialog;
    if (current === null || anchor === null) return;
    const bubble = anchor.getBoundingClientRect();
    const { offsetHeight: height, offsetWidth: width } = current;
    const above = bubble.top - height - gapPx;
    const below = Math.min(bubble.bottom + gapPx, innerHeight - height - gapPx);
    const left = Math.min(Math.max(bubble.left, bubble.right - width), innerWidth - width - gapPx);
    current.style.setProperty('--top', `${String(Math.max(gapPx, above >= gapPx ? above : below))}px`);
    current.style.setProperty('--left', `${String(Math.max(gapPx, left))}px`);
  }, [dialog, anchor, isLarger]);
}
