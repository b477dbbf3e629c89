/**
 * What the head of a web page says of itself: title, description, name of the site. Reads any bytes, as browsers do, in
 * one pass: nothing of a page is executed, fetched or kept but these three lines of text. Pure.
 */
import { withoutReferences } from '@tunemate/domain';
import { cleanLine, isBlank, type LinkPreview } from '@tunemate/protocol';

const mostOf = { title: 200, description: 300, siteName: 60 } as const;
/** Of what a page gives for a line; what comes later is cut off before it is read. */
const mostRead = 4000;
/** A head with more tags is none. */
const mostTags = 5000;

/** Null for a page without a title. */
export function wordsOf(html: string): LinkPreview | null {
  const { title, metas } = tagsOf(html);
  const first = (...names: string[]) => names.map((each) => metas.get(each) ?? '').find((text) => !isBlank(text));
  const line = (text: string | undefined, most: number) => (text === undefined ? null : cut(text, most));
  const shown = line(first('og:title', 'twitter:title') ?? title, mostOf.title);
  if (shown === null) return null;
  const description = first('og:description', 'description', 'twitter:description');
  return {
    title: shown,
    description: line(description, mostOf.description),
    siteName: line(first('og:site_name', 'application-name'), mostOf.siteName),
  };
}

/** One line without marks that can't be seen or that turn the direction of what follows. */
function cut(text: string, most: number): string | null {
  const characters = Array.from(cleanLine(text));
  const kept = characters.length <= most ? characters : [...characters.slice(0, most - 1), '…'];
  const line = kept.join('').trim();
  return isBlank(line) ? null : line;
}

/** Their text is no markup. */
const raw = new Set(['script', 'style', 'noscript', 'template', 'textarea', 'iframe', 'noframes', 'xmp', 'svg']);

/** The first title, and the first content of each named `meta`, in front of the body. */
function tagsOf(html: string): { title: string | undefined; metas: Map<string, string> } {
  const metas = new Map<string, string>();
  let title: string | undefined;
  let at = 0;
  for (let tags = 0; tags < mostTags; tags += 1) {
    at = html.indexOf('<', at);
    if (at < 0) break;
    if (html.startsWith('<!--', at)) {
      at = html.indexOf('-->', at + 4);
      if (at < 0) break;
      continue;
    }
    const name = nameAt(html, at);
    if (name === null) {
      at += 1;
      continue;
    }
    if (name === 'body') break;
    const { attributes, end } = attributesAt(html, at + 1 + name.length);
    at = end;
    if (name === 'meta') note(metas, attributes);
    else if (name === 'title' || raw.has(name)) {
      const close = closingAt(html, name, at);
      if (name === 'title') title ??= withoutReferences(html.slice(at, Math.min(close, at + mostRead)));
      at = close;
    }
  }
  return { title, metas };
}

function nameAt(html: string, at: number): string | null {
  const tag = /<([a-z][a-z\d:-]{0,40})/iuy;
  tag.lastIndex = at;
  return tag.exec(html)?.[1]?.toLowerCase() ?? null;
}

/** Where the text of such an element ends. */
function closingAt(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}(?=[\\s/>])`, 'giu');
  closing.lastIndex = from;
  return closing.exec(html)?.index ?? html.length;
}

/** Those that can name a line, and where the tag ends. */
function attributesAt(html: string, from: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>();
  const attribute = /[\s/]*(?:([^\s=>/][^\s=>/]{0,40})|=)[^\s=>/]*(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/uy;
  let end = from;
  for (;;) {
    attribute.lastIndex = end;
    const found = attribute.exec(html);
    if (found === null) break;
    const [all, name = '', double, single, plain] = found;
    const key = name.toLowerCase();
    const value = double ?? single ?? plain ?? '';
    if (/^(?:name|property|content)$/u.test(key) && !attributes.has(key)) attributes.set(key, value);
    end += all.length;
  }
  const close = html.indexOf('>', end);
  return { attributes, end: close < 0 ? html.length : close + 1 };
}

function note(metas: Map<string, string>, attributes: ReadonlyMap<string, string>): void {
  const name = (attributes.get('property') ?? attributes.get('name') ?? '').trim().toLowerCase();
  const content = withoutReferences((attributes.get('content') ?? '').slice(0, mostRead));
  if (name !== '' && !metas.has(name) && !isBlank(content)) metas.set(name, content);
}
