/** A placeholder in place of a remote image that fails to load. An address that failed is not asked for again. */
import { useState } from 'react';

const failed = new Set<string>();

/** `url` is undefined after a failure; `onError` goes on the image. */
export function usePicture(url: string | undefined): { url: string | undefined; onError: () => void } {
  const [, setFailures] = useState(0);
  return {
    url: url !== undefined && failed.has(url) ? undefined : url,
    onError() {
      if (url !== undefined) failed.add(url);
      setFailures((count) => count + 1);
    },
  };
}
