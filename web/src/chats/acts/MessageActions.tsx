/**
 * What can be done with one private message: a menu above its bubble on wide screens, a sheet on phones. Loaded when it
 * is opened. Arrows move, Enter chooses, Escape closes.
 */
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { useModalElement } from '../../ui/dialogs/use-modal-element.ts';
import { CopyIcon, PlusIcon } from '../../ui/icons/page-icons.tsx';
import { EditIcon, FlagIcon, ReplyIcon, TrashIcon } from '../../ui/icons/message-icons.tsx';
import { EmojiMark } from './EmojiMark.tsx';
import styles from './MessageActions.module.css';
import { conversationWords } from '../conversation-words.ts';
import { EmojiPicker } from '../emoji/EmojiPicker.tsx';
import { quickEmojis } from './emojis.ts';
import { MenuAct, menuActs, menuPanel, menuSheet, SheetQuote } from '../../messages/MenuSheet.tsx';
import { usePlaceAbove } from '../../messages/place-above.ts';
import { t } from '../../language/t.ts';

export type MessageAct = 'reply' | 'copy' | 'edit' | 'hide' | 'delete' | 'report';

/** In the order in which they are shown, with the key of the focused message that does the same. */
const acts: readonly { act: MessageAct; words: string; shortcut?: string; Icon: typeof CopyIcon }[] = [
  { act: 'reply', words: t`Reply`, shortcut: 'R', Icon: ReplyIcon },
  { act: 'copy', words: conversationWords.copy, shortcut: 'C', Icon: CopyIcon },
  { act: 'edit', words: t`Edit`, shortcut: 'E', Icon: EditIcon },
  { act: 'report', words: t`Report`, Icon: FlagIcon },
  { act: 'hide', words: t`Delete for me`, shortcut: t`Del`, Icon: TrashIcon },
  { act: 'delete', words: conversationWords.deleteForBoth, Icon: TrashIcon },
];

interface MessageActionsProps {
  label: string;
  /** Its author and its words. */
  quote: { author: string; text: string };
  /** The bubble. */
  anchor: RefObject<Element | null>;
  offered: readonly MessageAct[];
  /** Null where the message takes no reactions. */
  reacted: readonly string[] | null;
  onAct: (act: MessageAct) => void;
  onReact: (emoji: string, isOn: boolean) => void;
  onClose: () => void;
}

export function MessageActions(props: MessageActionsProps) {
  const { label, quote, anchor, offered, reacted, onAct, onReact, onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [isChoosing, setIsChoosing] = useState(false);
  useModalElement(dialog, onClose, { scrimCloses: true });
  usePlaceAbove(dialog, anchor);
  return (
    <dialog ref={dialog} className={menuSheet} aria-label={label}>
      <div className={menuPanel} role="menu" tabIndex={-1} aria-label={label} onKeyDown={moveByArrows}>
        <SheetQuote {...quote} />
        {reacted !== null && (
          <div className={styles.emojis}>
            {quickEmojis.map(([emoji, , words]) => (
              <Emoji key={emoji} emoji={emoji} words={words} reacted={reacted} onReact={onReact} />
            ))}
            <button
              type="button"
              role="menuitem"
              tabIndex={-1}
              aria-label={t`More emoji`}
              aria-expanded={isChoosing}
              onClick={() => setIsChoosing(!isChoosing)}
            >
              <PlusIcon size={22} />
            </button>
          </div>
        )}
        {acts
          .filter(({ act }) => offered.includes(act))
          .map(({ act, words, shortcut, Icon }, index) => (
            <MenuAct
              key={act}
              Icon={Icon}
              letter={shortcut}
              role="menuitem"
              tabIndex={-1}
              data-first-focus={index === 0 ? true : undefined}
              className={classNames(act === 'delete' && styles.danger)}
              onClick={() => onAct(act)}
            >
              {words}
            </MenuAct>
          ))}
      </div>
      {isChoosing && reacted !== null && (
        <EmojiPicker chosen={reacted} onChoose={(emoji) => onReact(emoji, !reacted.includes(emoji))} />
      )}
    </dialog>
  );
}

interface EmojiProps {
  emoji: string;
  words: string;
  reacted: readonly string[];
  onReact: MessageActionsProps['onReact'];
}

function Emoji({ emoji, words, reacted, onReact }: EmojiProps) {
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

function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget } = event;
  const items = [...currentTarget.querySelectorAll<HTMLElement>('[role^=menuitem]')];
  const at = items.indexOf(target as HTMLElement);
  // The emoji stand in rows: up and down leave them for the acts below.
  const acts = items.filter((item) => item.matches(menuActs));
  const isAct = acts.includes(target as HTMLElement);
  const [ahead, back] = document.dir === 'rtl' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
  const next: Record<string, HTMLElement | undefined> = {
    Home: items[0],
    End: items.at(-1),
    [ahead]: isAct ? undefined : items[(at + 1) % items.length],
    [back]: isAct ? undefined : items.at(at - 1),
    ArrowDown: isAct ? items[(at + 1) % items.length] : acts[0],
    ArrowUp: isAct && target !== acts[0] ? items.at(at - 1) : isAct ? items[0] : items.at(-1),
  };
  const to = next[key];
  if (to === undefined) return;
  event.preventDefault();
  to.focus();
}
