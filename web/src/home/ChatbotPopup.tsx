/** The popup 'Chatbot coming soon...'. */
import { useEffect } from 'react';
import { useApp } from '../app-context.ts';
import { homeWords } from '../words/home.ts';
import { useReadable } from '../store/use-readable.ts';
import { Popup } from '../ui/feedback/Popup.tsx';

export function ChatbotPopup() {
  const { chatbotPopup } = useApp();
  const isShown = useReadable(chatbotPopup.isShown);
  useEffect(() => chatbotPopup.arrive(), [chatbotPopup]);
  return isShown ? <Popup message={homeWords.chatbotSoon} onDismiss={() => chatbotPopup.dismiss()} /> : null;
}
