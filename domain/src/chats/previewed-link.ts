/**
 * Which link of a message may have a preview, and which addresses the server may ask for one. Pages and server read by
 * this one, so that both mean the same link.
 */

/** Longer ones are no links that people read. */
const mostCharacters = 2000;

/** Of names, never literal addresses: the last label has a letter first. */
const name = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z][a-z\d-]*[a-z\d]$/u;
const ofOwnNetwork = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa|onion)$/u;

/** `hostname` as the parser of addresses has it: a name that the internet may have, no literal address and none of an own network. */
export const isInternetName = (hostname: string): boolean => name.test(hostname) && !ofOwnNetwork.test(hostname);

/** What the parser of addresses makes of a link. */
interface Address {
  protocol: string;
  hostname: string;
  port: string;
  username: string;
  password: string;
  href: string;
}

/**
 * True for https at the standard port of a name on the internet, without a name or password. What travels by plain http
 * any machine on the way may have written. What the name resolves to is the server's part.
 */
export function mayHavePreview({ protocol, hostname, port, username, password, href }: Address): boolean {
  const isPlain = protocol === 'https:' && port === '' && username === '' && password === '';
  return isPlain && href.length <= mostCharacters && isInternetName(hostname);
}

/** The first link over https in the text, as written; null without. */
export function previewedLink(text: string): string | null {
  for (const { 0: found, index } of text.matchAll(/https:\/\/[^\s<>"]+/giu)) {
    const isWhole = index === 0 || !/[\p{L}\p{N}]/u.test(text[index - 1] ?? '');
    if (isWhole) return withoutEnd(found);
  }
  return null;
}

const endsSentence = /[.,:;!?'’”»…*_~。、，！？）」』\]}]$/u;

/** Without the marks that a sentence puts behind a link. A bracket that the link itself opens is part of it. */
function withoutEnd(link: string): string {
  let kept = link;
  let closing = kept.split(')').length - kept.split('(').length;
  for (;;) {
    if (endsSentence.test(kept)) kept = kept.slice(0, -1);
    else if (kept.endsWith(')') && closing > 0) {
      kept = kept.slice(0, -1);
      closing -= 1;
    } else return kept;
  }
}
