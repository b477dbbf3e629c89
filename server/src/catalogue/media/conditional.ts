/**
 * Conditional requests (RFC 9110 §13): whether the client's copy is current, and whether a part may be added to it.
 */

export interface Version {
  /** Strong: two versions with the same tag are the same bytes. Quotes included. */
  etag: string;
  /** As an HTTP date. */
  lastModified: string;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Several of one header are a list of theirs. */
const one = (value: string | string[] | undefined): string | undefined => value?.toString();

/** True when the answer is 304: If-None-Match decides, and If-Modified-Since only without it. */
export function isUnchanged(headers: Headers, version: Version): boolean {
  const tags = one(headers['if-none-match']);
  if (tags !== undefined) {
    return tags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === version.etag);
  }
  const since = Date.parse(one(headers['if-modified-since']) ?? '');
  return Date.parse(version.lastModified) <= since;
}

/** True when a Range may be honoured: no If-Range, or exactly this version named by strong tag or by date. */
export function mayContinue(headers: Headers, version: Version): boolean {
  const condition = one(headers['if-range'])?.trim();
  return condition === undefined || condition === version.etag || condition === version.lastModified;
}
