/** What an e-mail address is. Apart from the other characters, so that a page without one does not load it. */
import { bare } from './characters.ts';
import { addressIn } from './pasted.ts';

// RFC 5321's atom characters and, by RFC 6531, letters and digits of any script. No quotes, comments or literals.
const wholeAddress = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~.-]+@(?<domain>.+)$/u;
const domainLabel = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;

/**
 * An e-mail address in the one form it is compared in, or null when it is none: one @, a domain of two labels or more,
 * unseen marks taken out, compatibility forms such as full-width letters made plain, lower case. IDNA is the server's part.
 */
export function readAddress(typed: string): string | null {
  const address = addressIn(bare(typed)).normalize('NFKC').toLowerCase().normalize('NFKC').replaceAll('\u3002', '.');
  const domain = wholeAddress.exec(address)?.groups?.['domain'];
  if (domain === undefined) return null;
  const labels = domain.split('.');
  const isDomain = labels.length > 1 && labels.every((label) => domainLabel.test(label));
  // A last label of digits would make the whole an IP address.
  return isDomain && !/\.\p{N}+$/u.test(domain) ? address : null;
}
