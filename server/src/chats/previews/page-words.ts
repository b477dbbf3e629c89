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

/** What stands in place of a page: of hosts that ask for consent or a sign-in first, and of those that look for machines. */
const gates = [
  /^(?:before you continue to|bevor (?:sie|du) (?:mit|zu) .* (?:fortfahren|weitergeh)|antes de (?:continuar|ir) a)\b/iu,
  /^(?:just a moment|one moment,? please|please wait|loading|redirecting|checking your browser|verifying you are human)[.…\s]*$/iu,
  /^(?:attention required! \| cloudflare|pardon our interruption.*|ddos-guard|client challenge|vercel security checkpoint)$/iu,
  /^(?:access (?:to this page has been )?denied|are you a (?:robot|human)|robot or human|human verification|security check|captcha|bot verification)[.!?]*$/iu,
  /^(?:log[ -]?in|sign[ -]?in|anmelden|anmeldung|einloggen|iniciar sesión)(?:\s*[·•|:–—-].*| (?:to|bei) .*)?$/iu,
  /^(?:(?:reddit - )?please wait for verification|robot check|you are being redirected|verify you are human|are you human|checking if the site connection is secure|please enable javascript.*|radware captcha page|(?:access denied - )?sucuri website firewall.*|log into facebook|(?:facebook – )?log in or sign up(?: to view)?)[.…?!]*$/iu,
  /^(?:(?:nur )?einen moment(?:,? bitte)?|bitte warten|u[nm] mom?ento|un instant|veuillez patienter|espere)[.…]+$/iu,
  /^(?:error )?(?:403|429|503)(?:\W+(?:forbidden|too many requests|service (?:temporarily )?unavailable))?$/iu,
];

/** Null for a page without a title, and for one that stands before the page. */
export function wordsOf(html: string): LinkPreview | null {
  const { title, metas } = tagsOf(html);
  const first = (...names: string[]) => names.map((each) => metas.get(each) ?? '').find((text) => !isBlank(text));
  const line = (text: string | undefined, most: number) => (text === undefined ? null : cut(text, most));
  const shown = line(first('og:title', 'twitter:title') ?? title, mostOf.title);
  if (shown === null || gates.some((gate) => gate.test(shown))) return null;
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
function tagsOf(html: string): { title: string | undefined; metas: Map<string, string>; bodyAt: number } {
  const metas = new Map<string, string>();
  let title: string | undefined;
  let [at, bodyAt] = [0, -1];
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
    if (name === 'body' || (name === '/head' && at >= 0)) {
      bodyAt = at;
      break;
    }
    const { attributes, end } = attributesAt(html, at + 1 + name.length);
    at = end;
    if (name === 'meta') note(metas, attributes);
    else if (name === 'title' || raw.has(name)) {
      const close = closingAt(html, name, at);
      if (name === 'title') title ??= withoutReferences(html.slice(at, Math.min(close, at + mostRead)));
      at = close;
    }
  }
  return { title, metas, bodyAt };
}

/** Whether a text holds the whole head of its page: what scripts and comments write is no markup. */
export const hasWholeHead = (html: string): boolean => tagsOf(html).bodyAt >= 0;

/** Later than this a page is one of its own. */
const mostWaitSeconds = 2;

/** Where a page leads on to by itself, as shorteners do; null for one that stays. */
export function leadsTo(html: string): string | null {
  // Shorteners have it for browsers without scripts.
  const { metas } = tagsOf(html.replaceAll(/<\/?noscript\b[^<>]{0,100}>/giu, ' '));
  const [, seconds = '', address = ''] =
    /^\s*(\d{1,3})(?:\.\d*)?\s*[;,\s]\s*(?!url\s*=\s*$)(?:url\s*=\s*)?(\S.*)$/iu.exec(metas.get('refresh') ?? '') ?? [];
  return seconds === '' || Number(seconds) > mostWaitSeconds ? null : address.trim().replaceAll(/^["']|["']$/gu, '');
}

function nameAt(html: string, at: number): string | null {
  const tag = /<(\/head(?=[\s/>])|[a-z][a-z\d:-]{0,40})/iuy;
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
    if (/^(?:name|property|content|http-equiv)$/u.test(key) && !attributes.has(key)) attributes.set(key, value);
    end += all.length;
  }
  const close = html.indexOf('>', end);
  return { attributes, end: close < 0 ? html.length : close + 1 };
}

function note(metas: Map<string, string>, attributes: ReadonlyMap<string, string>): void {
  const said = attributes.get('property') ?? attributes.get('name') ?? attributes.get('http-equiv') ?? '';
  const name = said.trim().toLowerCase();
  const content = withoutReferences((attributes.get('content') ?? '').slice(0, mostRead));
  if (name !== '' && !metas.has(name) && !isBlank(content)) metas.set(name, content);
}
