/** Whom push services can turn to about an installation: its page, or the address that its mails come from. */
export function contactOf(publicUrl: string, mailFrom: string): string {
  if (publicUrl.startsWith('https:')) return publicUrl;
  const [, address = mailFrom] = /<([^>]+)>/.exec(mailFrom) ?? [];
  return `mailto:${address}`;
}
