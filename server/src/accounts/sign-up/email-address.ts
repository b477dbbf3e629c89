/**
 * The one form an e-mail address is stored, compared and counted in: as the protocol reads it, with its domain in the
 * ASCII form that mail servers use. Two addresses that reach the same mailbox by these rules are one account.
 */
import { domainToASCII } from 'node:url';
import { limits, readAddress } from '@tunemate/protocol';

const asciiLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Null when no mail could be sent to it. */
export function canonicalAddress(typed: string): string | null {
  const address = readAddress(typed);
  if (address === null) return null;
  const at = address.indexOf('@');
  const domain = domainToASCII(address.slice(at + 1));
  const labels = domain.split('.');
  const isName = labels.length > 1 && labels.every((label) => asciiLabel.test(label)) && !/\.\d+$/.test(domain);
  const canonical = `${address.slice(0, at)}@${domain}`;
  return isName && canonical.length <= limits.emailLength ? canonical : null;
}

/** The key of limits per address: the same for every form of it, known or not. */
export const addressKey = (typed: string): string => canonicalAddress(typed) ?? typed;
