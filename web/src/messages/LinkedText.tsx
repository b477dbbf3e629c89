/**
 * Text whose addresses are links, which open in a new tab without access to this one. Only web and mail addresses
 * become links: other schemes (scripts, other programs) stay plain text.
 */
import { LinkifyIt } from 'linkify-it';

export function LinkedText({ text }: { text: string }) {
  return textParts(text).map((part, index) =>
    typeof part === 'string' ? (
      <span key={String(index)}>{part}</span>
    ) : (
      <a key={`${String(index)} ${part.href}`} href={part.href} target="_blank" rel="noopener noreferrer">
        {part.words}
      </a>
    ),
  );
}

type TextPart = string | { readonly href: string; readonly words: string };

const allowed = new Set(['http:', 'https:', 'mailto:']);
const finder = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true });
finder.add('ftp:', null).add('//', null);

/** Endings of files that are endings of domains too. Without a scheme or a path, such a word names a file. */
const fileEndings = new Set([
  'ai',
  'bz',
  'cc',
  'gd',
  'md',
  'mk',
  'ml',
  'mov',
  'pl',
  'pm',
  'ps',
  'pub',
  'py',
  'rs',
  'sh',
  'so',
  'tf',
  'zip',
]);

/** The name of a file, or a number with what it counts: '1.5.km'. */
const isNoAddress = ({ schema, url, raw }: { schema: string; url: string; raw: string }): boolean =>
  schema === '' &&
  !/^www\./iu.test(raw) &&
  /^\w+:\/\/[^/?#:]+(?:\/|#.*)?$/u.test(url) &&
  (fileEndings.has(raw.split('#')[0]?.split('.').at(-1)?.toLowerCase() ?? '') || /^[\d.]+\.[a-z]{1,2}$/iu.test(raw));

/** The text as a list of plain parts and links; joined together they are the text. */
export function textParts(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of finder.match(text) ?? []) {
    const href = isNoAddress(match) ? null : hrefOf(match.url, match.schema === '');
    if (href === null) continue;
    if (match.index > from) parts.push(text.slice(from, match.index));
    parts.push({ href, words: match.raw });
    from = match.lastIndex;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

function hrefOf(url: string, isBare: boolean): string | null {
  // Written without a scheme: https is used.
  const asked = isBare ? url.replace(/^http:/, 'https:') : url;
  try {
    const { protocol, href } = new URL(asked);
    return allowed.has(protocol) ? href : null;
  } catch {
    return null;
  }
}
