/** One message of a chat as a bubble, with its delivery state, and the buttons below one that was not sent. */
import { type ComponentProps, type MouseEvent, type ReactElement, type ReactNode, useId } from 'react';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import { Button } from '../ui/buttons/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import { ClockMark, DoubleTickMark, TickMark } from '../ui/icons/marks.tsx';
import { Avatar } from '../ui/records/Avatar.tsx';
import styles from './MessageBubble.module.css';
import type { Elements } from '../ui/OwnText.tsx';
import { t } from '../language/t.ts';

/** `starts` and `ends` give the bubble's place in a run of one sender. */
interface MessageBubbleProps {
  mine: boolean;
  /** The text, or text with links. */
  children: ReactNode;
  starts?: boolean | undefined;
  ends?: boolean | undefined;
  /** Clock time, such as `14:32`, with its machine form. */
  time?: { text: string; dateTime: string } | undefined;
  tick?: TickState | undefined;
  /** Shown with the first bubble of a run in group conversations; ignored for own messages. */
  author?: { id: string; name: string } | undefined;
  /** Makes the author's name a button. */
  onAuthor?: (() => void) | undefined;
  action?: Elements;
  /** Puts the time beside the author, or below an own bubble, instead of into it. */
  timeOutside?: boolean | undefined;
  /** Before the time, in the bubble. */
  note?: string | undefined;
  /** 'named': mentions the reader. 'gone': a text in place of the message. */
  look?: 'named' | 'gone' | undefined;
  footer?: ReactNode;
  /** Attributes of the element around all, such as handlers. */
  frame?: ComponentProps<'div'> | undefined;
}

export function MessageBubble(props: MessageBubbleProps) {
  const { mine, children, starts = true, ends = true, time, tick, author, action } = props;
  const { timeOutside = false, note, look, footer, frame, onAuthor } = props;
  const stamped = time && <time dateTime={time.dateTime}>{time.text}</time>;
  const withAuthor = author !== undefined && !mine;
  const id = useId();
  return (
    <div
      // A screen reader that goes from message to message reads the name of each, and then this.
      aria-describedby={id}
      {...frame}
      className={classNames(
        styles.message,
        mine ? styles.mine : styles.theirs,
        starts && styles.starts,
        withAuthor && styles.group,
      )}
    >
      {withAuthor && starts && (
        <p className={styles.who}>
          {onAuthor ? (
            // Not a Tab stop: the message's menu has the same action.
            <button type="button" tabIndex={-1} dir="auto" onClick={onAuthor}>
              {author.name}
            </button>
          ) : (
            <span dir="auto">{author.name}</span>
          )}
          <span> </span>
          {timeOutside && stamped}
        </p>
      )}
      {withAuthor && starts && (
        <span className={styles.avatar}>
          <Avatar id={author.id} name={author.name} size="sm" />
        </span>
      )}
      <p id={id} dir="auto" className={classNames(styles.bubble, ends && styles.tail, look && styles[look])}>
        <span>{children}</span>
        {((time && !timeOutside) || tick || note) && (
          <span className={styles.stamp} dir={document.dir || 'ltr'}>
            {note && <span>{note}</span>}
            {!timeOutside && stamped}
            {tick && <Tick state={tick} />}
          </span>
        )}
      </p>
      {footer && <div className={styles.footer}>{footer}</div>}
      {timeOutside && mine && ends && <p className={styles.below}>{stamped}</p>}
      {action}
    </div>
  );
}

/** `sending` has no server time yet; `read` is shown only where both share read receipts. */
type TickState = 'sending' | 'sent' | 'delivered' | 'read';

const states: Record<TickState, { word: string; mark: ReactElement }> = {
  sending: { word: t`Sending`, mark: <ClockMark /> },
  sent: { word: t`Sent`, mark: <TickMark /> },
  delivered: { word: t`Delivered`, mark: <DoubleTickMark /> },
  read: {
    word: t`Read`,
    mark: (
      <span className={styles.read}>
        <DoubleTickMark />
      </span>
    ),
  },
};

function Tick({ state }: { state: TickState }) {
  const { word, mark } = states[state];
  return (
    <>
      {mark}
      <VisuallyHidden>{word}</VisuallyHidden>
    </>
  );
}

interface FailedMessageProps {
  reason: string;
  retryLabel: string;
  onRetry: () => void;
  onDiscard: () => void;
}

/** Below a message of the current user that was not sent: the reason, and buttons to retry or discard it. */
export function FailedMessage({ reason, retryLabel, onRetry, onDiscard }: FailedMessageProps) {
  // The buttons go once they are pressed.
  const retry = ({ currentTarget }: MouseEvent): void => {
    messagesBefore(currentTarget).at(-1)?.focus();
    onRetry();
  };
  const discard = ({ currentTarget }: MouseEvent): void => {
    messagesBefore(currentTarget).at(-2)?.focus();
    onDiscard();
  };
  return (
    <p className={styles.failure} role="alert">
      <span>{reason}</span>
      <Button variant="ghost" small onClick={retry}>
        {retryLabel}
      </Button>
      <Button variant="ghost" small onClick={discard}>
        {t`Discard`}
      </Button>
    </p>
  );
}

/** The last one is the message that the button belongs to. */
function messagesBefore(button: Element): HTMLElement[] {
  const isBefore = (one: Node) => (one.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;
  return [...document.querySelectorAll<HTMLElement>('[role="article"]')].filter(isBefore);
}
