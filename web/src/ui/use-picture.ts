/** A picture from elsewhere may not come: what stands in its place is shown instead of the browser's broken frame. */
import { useState } from 'react';

/** The address to show, none once it failed; `onError` goes on the image. */
export function usePicture(url: string | undefined): { url: string | undefined; onError: () => void } {
  const [failedUrl, setFailedUrl] = useState<string>();
  return { url: url === failedUrl ? undefined : url, onError: () => setFailedUrl(url) };
}
