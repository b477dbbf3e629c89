/** The menu of one message: stamps, Copy, Reply, Edit, Report, and for the host and its sender Delete for all. */
import type { StampName } from '@tunemate/protocol';
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { MenuAct, menuActs, menuPanel, menuSheet, SheetQuote } from '../../messages/MenuSheet.tsx';
import { usePlaceAbove } from '../../messages/place-above.ts';
import { classNames } from '../../ui/class-names.ts';
import { PeopleIcon } from '../../ui/icons/inside-icons.tsx';
import { EditIcon, FlagIcon, ReplyIcon, TrashIcon } from '../../ui/icons/message-icons.tsx';
import { CopyIcon } from '../../ui/icons/page-icons.tsx';
import { useKeyDown } from '../../ui/use-key-down.ts';
import type { ChatBubble } from './chat-model.ts';
import { StampRow } from './StampRow.tsx';
import type { Elements } from '../../ui/OwnText.tsx';
import styles from './MessageMenu.module.css';
import { t } from '../../language/t.ts';

interface MessageMenuProps {
  bubble: ChatBubble;
  onStamp: (stamp: StampName, isOn: boolean) => void;
  onReply: () => void;
  onCopy: () => void;
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
  onCopy,
  onEdit,
  onPerson,
  onReport,
  onDelete,
  onClose,
  onLeave,
}: MessageMenuProps) {
  const pressed = bubble.stamps.filter(({ isMine }) => isMine).map(({ stamp }) => stamp);
  return (
    <MenuBox label={t`Message of ${bubble.author.name}`} bubble={bubble} onClose={onClose} onLeave={onLeave}>
      <StampRow
        label={t`React to this message`}
        pressed={pressed}
        onPress={(stamp) => {
          onStamp(stamp, !pressed.includes(stamp));
          onClose();
        }}
      />
      <div className={styles.acts}>
        <MenuAct Icon={ReplyIcon} letter="R" onClick={onReply}>{t`Reply`}</MenuAct>
        <MenuAct
          Icon={CopyIcon}
          letter="C"
          onClick={() => {
            onCopy();
            onClose();
          }}
        >
          {t`Copy`}
        </MenuAct>
        {onEdit && <MenuAct Icon={EditIcon} letter="E" onClick={onEdit}>{t`Edit`}</MenuAct>}
        {onPerson && (
          <MenuAct Icon={PeopleIcon} letter="A" onClick={onPerson}>{t`About ${bubble.author.name}`}</MenuAct>
        )}
      </div>
      {(onReport || onDelete) && (
        <div className={classNames(styles.acts, styles.danger)}>
          {onReport && <MenuAct Icon={FlagIcon} onClick={onReport}>{t`Report`}</MenuAct>}
          {onDelete && <MenuAct Icon={TrashIcon} letter={t`Del`} onClick={onDelete}>{t`Delete for all`}</MenuAct>}
        </div>
      )}
    </MenuBox>
  );
}

interface MenuBoxProps {
  /** Names the message. */
  label: string;
  bubble: ChatBubble;
  /** Escape was pressed: the focus goes back to the message. */
  onClose: () => void;
  /** The focus went elsewhere. */
  onLeave: () => void;
  children: Elements;
}

/**
 * Over the page, beside the bubble and never over it; on phones a sheet that quotes the message. Takes the focus; Escape
 * and a press elsewhere close it.
 */
function MenuBox({ label, bubble, onClose, onLeave, children }: MenuBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const anchor = useRef<Element | null>(null);
  const leave = useEffectEvent(onLeave);
  useLayoutEffect(() => {
    anchor.current = box.current?.closest('[role=article]') ?? null;
    box.current?.showPopover();
  }, []);
  usePlaceAbove(box, anchor);
  useKeyDown(box, (event) => {
    if (event.key !== 'Escape') return moveByArrows(event, box.current);
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
    const onPress = ({ target }: Event) => {
      if (target instanceof Node && !element.contains(target)) leave();
    };
    document.addEventListener('pointerdown', onPress);
    return () => {
      document.removeEventListener('pointerdown', onPress);
      element.removeEventListener('focusout', onFocusOut);
    };
  }, []);
  const group = { role: 'group', 'aria-label': label } as const;
  return (
    <div ref={box} popover="manual" className={classNames(menuSheet, styles.menu)} {...group}>
      <div className={menuPanel}>
        <SheetQuote author={bubble.author.name} text={bubble.text} />
        {children}
      </div>
    </div>
  );
}

/** Up and down go from act to act; from the stamps to the first or the last. */
function moveByArrows(event: KeyboardEvent, menu: Element | null): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || menu === null) return;
  event.preventDefault();
  const acts = [...menu.querySelectorAll<HTMLElement>(menuActs)];
  const at = acts.findIndex((each) => each === event.target);
  const next = at === -1 && step < 0 ? -1 : (at + step) % acts.length;
  acts.at(next)?.focus();
}
