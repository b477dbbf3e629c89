/** The line of a chat in a list: its newest message, in words. */
import type { ConversationRow } from '@tunemate/protocol';
import { PictureIcon } from '../../ui/icons/page-icons.tsx';
import { chatWords } from '../chat-words.ts';
import { conversationWords, voiceText } from '../conversation-words.ts';
import { t } from '../../language/t.ts';

export function LastMessage({ last, other }: Pick<ConversationRow, 'last' | 'other'>) {
  const { state, text, voice, sender } = last;
  if (state !== 'shown') return t`Message deleted`;
  if (text !== '') return sender === other.uid ? text : `${conversationWords.mine} ${text}`;
  if (voice) return voiceText(voice.durationMs);
  return (
    <>
      <PictureIcon size={17} />
      <span>{chatWords.photo}</span>
    </>
  );
}
