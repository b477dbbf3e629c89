/** Below a message of the current user that was not sent: the reason, and the buttons to retry or discard it. */
import { Button } from '../ui/buttons/Button.tsx';
import styles from './Messages.module.css';

export interface FailedMessageProps {
  reason: string;
  retryLabel: string;
  onRetry: () => void;
  onDiscard: () => void;
}

export function FailedMessage({ reason, retryLabel, onRetry, onDiscard }: FailedMessageProps) {
  return (
    <p className={styles.failure} role="alert">
      <span>{reason}</span>
      <Button variant="ghost" small onClick={onRetry}>
        {retryLabel}
      </Button>
      <Button variant="ghost" small onClick={onDiscard}>
        Discard
      </Button>
    </p>
  );
}
