/** What the menus of a message in rooms and in private chats share: beside the bubble on wide screens, a sheet on phones. */
import type { ComponentProps, ComponentType } from 'react';
import { classNames } from '../ui/class-names.ts';
import styles from './MenuSheet.module.css';

/** The class of the dialog or popover; `--menu-w` is its width on wide screens. */
export const menuSheet = styles.sheet;
/** The class of a group in it. */
export const menuPanel = styles.panel;
/** Selects the acts of a menu. */
export const menuActs = '[data-menu-act]';

/**
 * The message that a sheet is about; wide screens place the menu beside it. Hidden from screen readers: the menu is named
 * after the message.
 */
export function SheetQuote({ author, text }: { author: string; text: string }) {
  return <div className={styles.quote} data-author={author} data-text={text} aria-hidden="true" />;
}

interface MenuActProps extends ComponentProps<'button'> {
  Icon: ComponentType<{ size: number }>;
  /** The key of the focused message that does the same. */
  letter?: string | undefined;
  children: string;
}

export function MenuAct({ Icon, letter, className, children, ...rest }: MenuActProps) {
  return (
    <button type="button" className={classNames(styles.act, className)} data-menu-act {...rest}>
      <Icon size={20} />
      <span>{children}</span>
      {letter !== undefined && <kbd aria-hidden="true">{letter}</kbd>}
    </button>
  );
}
