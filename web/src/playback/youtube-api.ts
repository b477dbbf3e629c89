/**
 * Brings in YouTube's IFrame Player API once, when the first YouTube track needs it. Nothing is asked of Google before.
 */

/** A script that has not come by then is kept away by something. */
const PATIENCE_MS = 10_000;
const API_URL = 'https://www.youtube.com/iframe_api';

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
    const patience = setTimeout(giveUp, PATIENCE_MS);
    window.onYouTubeIframeAPIReady = () => {
      clearTimeout(patience);
      resolve(YT);
    };
    script.src = API_URL;
    script.async = true;
    script.addEventListener('error', giveUp);
    document.head.append(script);
  });
}
