/** A placeholder in place of a remote image that fails to load. */
import { useState } from 'react';

/** `url` is undefined after a failure; `onError` goes on the image. */
export function usePicture(url: string | undefined): { url: string | undefined; onError: () => void } {
  const [failedUrl, setFailedUrl] = useState<string>();
  return { url: url === failedUrl ? undefined : url, onError: () => setFailedUrl(url) };
}
