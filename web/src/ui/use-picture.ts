/** Remote images may fail to load: a placeholder is shown instead of the browser's broken image. */
import { useState } from 'react';

/** The address to show, none after it failed to load; `onError` goes on the image. */
export function usePicture(url: string | undefined): { url: string | undefined; onError: () => void } {
  const [failedUrl, setFailedUrl] = useState<string>();
  return { url: url === failedUrl ? undefined : url, onError: () => setFailedUrl(url) };
}
