/** One emoji of a reaction: our drawing where there is one. */
import { StampDrawing } from '../../ui/chat/StampDrawing.tsx';
import { stampOf } from './emojis.ts';

/** The control that holds one carries the words. */
export function EmojiMark({ emoji, size }: { emoji: string; size: number }) {
  const stamp = stampOf(emoji);
  if (stamp !== null) return <StampDrawing name={stamp} size={size} />;
  return (
    <span aria-hidden="true" style={{ fontSize: `${String(size - 4)}px`, lineHeight: 1 }}>
      {emoji}
    </span>
  );
}
