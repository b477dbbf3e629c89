/** The popup 'Chatbot coming soon...'. */
import { useEffect } from 'react';
import { useApp } from '../app-context.ts';
import { homeWords } from '../words/home.ts';
import { useReadable } from '../store/use-readable.ts';
import { CloseIcon } from '../ui/icons/icons.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import styles from '../ui/feedback/Popup.module.css';
import { t } from '../language/t.ts';

export function ChatbotPopup() {
  const { chatbotPopup } = useApp();
  const isShown = useReadable(chatbotPopup.isShown);
  useEffect(() => chatbotPopup.arrive(), [chatbotPopup]);
  return isShown ? <Popup message={homeWords.chatbotSoon} onDismiss={() => chatbotPopup.dismiss()} /> : null;
}

// A small message at the bottom right that stays until it is dismissed.

/** The page leaves 96 px below its content (`AppLayout popupRoom`), so this never covers the last action. */
function Popup({ message, onDismiss }: { message: string; onDismiss: () => void }) {
  return (
    <aside className={styles.popup} aria-label={message}>
      <p>{message}</p>
      <IconButton label={t`Dismiss`} icon={<CloseIcon />} onClick={onDismiss} />
    </aside>
  );
}
