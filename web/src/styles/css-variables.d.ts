/** Lets the style prop carry custom properties, which React writes through the CSSOM (allowed by our CSP). */
import 'react';

declare module 'react' {
  interface CSSProperties {
    [name: `--${string}`]: string | number | undefined;
  }
}
