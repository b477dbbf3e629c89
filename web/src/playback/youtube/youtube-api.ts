/**
 * Brings in YouTube's IFrame Player API once, when the first YouTube track needs it. Nothing is asked of Google before.
 */

/** A script that has not loaded by then was blocked. */
const patienceMs = 10_000;
const apiUrl = 'https://www.youtube.com/iframe_api';

declare global {
  interface Window {
    onYouTubeIframeAPIReady?: (() => void) | undefined;
  }
}

let loading: Promise<typeof YT> | null = null;

/** The API, ready to make players. Rejects when the script cannot be fetched; the next call tries again. */
export function loadYouTubeApi(): Promise<typeof YT> {
  loading ??= fetchApi().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

function fetchApi(): Promise<typeof YT> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const giveUp = (): void => {
      script.remove();
      reject(new Error('The YouTube player could not be fetched'));
    };
    const patience = setTimeout(giveUp, patienceMs);
    window.onYouTubeIframeAPIReady = () => {
      clearTimeout(patience);
      resolve(YT);
    };
    script.src = apiUrl;
    script.async = true;
    script.addEventListener('error', giveUp);
    document.head.append(script);
  });
}
