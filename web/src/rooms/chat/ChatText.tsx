/** The text of a message: names after '@' are bold, addresses are links that open in a new tab. */
import { lazyPart } from '../../store/lazy-part.ts';
import styles from './RoomChat.module.css';

/** Loaded only when needed, because the code that finds addresses is large. */
const LinkedText = lazyPart(
  async () => (await import('../../messages/LinkedText.tsx')).LinkedText,
  ({ text }) => <span>{text}</span>,
);
const mayHoldAddress = /[^\s.]\.[^\s.]|:\/\//;

export interface Person {
  readonly uid: string;
  readonly name: string;
}

export interface ChatTextProps {
  text: string;
  people: readonly Person[];
}

export function ChatText({ text, people }: ChatTextProps) {
  return mentionParts(text, people).map((part, index) => {
    const key = String(index);
    if (typeof part !== 'string') {
      return (
        <b key={key} className={styles.mention}>
          {part.mention}
        </b>
      );
    }
    if (!mayHoldAddress.test(part)) return <span key={key}>{part}</span>;
    return <LinkedText key={key} fallback={<span>{part}</span>} text={part} />;
  });
}

type MentionPart = string | { readonly mention: string; readonly uid: string };

/** Letters with the marks that Hindi and Arabic write vowels with, digits and '_'. */
const wordEnd = /^(?!\p{IDC})/u;
const wordBefore = /[\p{IDC}.]$/u;

/** Splits the text into plain parts and mentions, by full or first name; the longest match wins. */
export function mentionParts(text: string, people: readonly Person[]): readonly MentionPart[] {
  if (!text.includes('@')) return [text];
  const called = namesOf(people);
  const parts: MentionPart[] = [];
  let from = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const found = wordBefore.test(text.slice(0, at)) ? undefined : called.find(({ name }) => isAt(text, at + 1, name));
    if (found === undefined) continue;
    const end = at + 1 + found.name.length;
    if (at > from) parts.push(text.slice(from, at));
    parts.push({ mention: text.slice(at, end), uid: found.uid });
    from = end;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

export function isNamed(text: string, people: readonly Person[], uid: string): boolean {
  return mentionParts(text, people).some((part) => typeof part !== 'string' && part.uid === uid);
}

/** Full names and first names, the longest first. */
function namesOf(people: readonly Person[]): Person[] {
  return people
    .flatMap(({ uid, name }) => {
      const [first = name] = name.split(' ');
      return [{ uid, name }, ...(first === name ? [] : [{ uid, name: first }])];
    })
    .toSorted((a, b) => b.name.length - a.name.length);
}

function isAt(text: string, at: number, name: string): boolean {
  const end = at + name.length;
  return text.slice(at, end).toLowerCase() === name.toLowerCase() && wordEnd.test(text.slice(end));
}
