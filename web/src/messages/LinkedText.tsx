/** Text whose addresses are links. They open in a new tab that knows nothing of this one. */
import { textParts } from './links.ts';

export function LinkedText({ text }: { text: string }) {
  return textParts(text).map((part, index) =>
    typeof part === 'string' ? (
      part
    ) : (
      <a key={`${String(index)} ${part.href}`} href={part.href} target="_blank" rel="noopener noreferrer">
        {part.words}
      </a>
    ),
  );
}
